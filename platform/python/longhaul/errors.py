# SPDX-License-Identifier: Apache-2.0
"""What can go wrong for a reason that one line can tell; every class carries its exit code."""


class LonghaulError(Exception):
    """The run failed; the message is the one line that the user sees."""

    exit_code = 1


class UsageError(LonghaulError):
    """What the user asked for cannot be; the message says what would be right."""

    exit_code = 2


class TopologyError(UsageError):
    """A topology that no cable could make; the message names the part."""


class Interrupted(LonghaulError):
    """Ctrl-C or a termination signal; everything that was started has been ended."""

    exit_code = 130
