# SPDX-License-Identifier: Apache-2.0
"""The operations that instructions fall apart into."""

import pytest
from longhaul.guest.x86_operations import CLASSES, classify


def counts(mnemonic: str, operands: str = "") -> list[str]:
    return sorted(CLASSES[i] for i in classify(mnemonic, operands).classes)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add    %rax,%rbx", ["simple"]),
        ("mov    %rsp,%rbp", ["simple"]),
        ("mov    0x584(%r13),%esi", ["load"]),
        ("movzbl 0x3(%rax),%edx", ["load"]),
        ("mov    %edx,-0xc4(%rbp)", ["store"]),
        ("movl   $0x1,0x10(%rax)", ["store"]),
        ("add    0x8(%rdi),%rax", ["load", "simple"]),
        ("addl   $0x1,0x8(%rdi)", ["load", "simple", "store"]),
        ("cmpb   $0x0,0x60602000", ["load", "simple"]),
        ("test   %eax,%eax", ["simple"]),
        ("lea    0x8(%rax,%rbx,4),%rcx", ["simple"]),
        ("push   %r15", ["store"]),
        ("pop    %r15", ["load"]),
        ("imul   $0x38,%rax,%rax", ["multiply"]),
        ("div    %rcx", ["divide"]),
        ("lock cmpxchg %ecx,(%rdx)", ["locked"]),
        ("xchg   %al,(%rdx)", ["locked"]),
        ("rep stos %rax,%es:(%rdi)", ["string"]),
        ("bsf    %rax,%rdx", ["shift_double"]),
        ("rdtsc", ["serialising"]),
        ("movaps %xmm0,%xmm1", ["vector"]),
        ("nopw   0x0(%rax,%rax,1)", []),
        ("je     60001035 <f+0x35>", ["branch"]),
        ("jmp    60001035 <f+0x35>", ["jump"]),
        ("jmp    *%rax", ["indirect"]),
        ("call   *0x8(%rax)", ["indirect", "load", "store"]),
        ("ret", ["call", "load"]),
    ],
)
def test_instruction_is_counted_by_its_operations(text: str, expected: list[str]) -> None:
    mnemonic, _, operands = text.partition(" ")
    assert counts(mnemonic, operands.strip()) == expected
