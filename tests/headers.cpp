// SPDX-License-Identifier: GPL-3.0-or-later
// A program of nothing: its target exists for the headers that are read before it.
int main()
{
    return 0;
}
