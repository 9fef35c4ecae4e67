# SPDX-License-Identifier: Apache-2.0
"""Errors whose reason fits on one line; every class carries its exit code."""


class LonghaulError(Exception):
    """The run failed; the message is the one line that the user sees."""

    exit_code = 1


class UsageError(LonghaulError):
    """The user asked for something impossible; the message says what would be right."""

    exit_code = 2


class TopologyError(UsageError):
    """A topology that no cable could make; the message names the part."""


class Interrupted(LonghaulError):
    """Ctrl-C or a termination signal; everything that was started has been ended."""

    exit_code = 130
