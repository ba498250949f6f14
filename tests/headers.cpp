// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing: its target exists for the headers that are read before it.
