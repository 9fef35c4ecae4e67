// SPDX-License-Identifier: Apache-2.0
// Prints the size in bytes of this host's XSTATE register set as ptrace shows it, which a UML kernel must be built for.
#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  enum { kMost = 1 << 20 };
  const pid_t child = fork();
  if (child < 0) {
    perror("fork");
    return 1;
  }
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  struct iovec iov = {malloc(kMost), kMost};
  const long failed = ptrace(PTRACE_GETREGSET, child, NT_X86_XSTATE, &iov);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  if (failed) {
    perror("PTRACE_GETREGSET");
    return 1;
  }
  printf("%zu\n", iov.iov_len);
  return 0;
}
