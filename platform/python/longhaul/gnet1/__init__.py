# SPDX-License-Identifier: Apache-2.0
"""The GNET-1 box from outside: its registers by name, and the accesses that its functions need."""

from longhaul.gnet1.control import Gnet1 as Gnet1
from longhaul.gnet1.registers import Access as Access
