// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace idemdesk::ui {

/// A property of a header, int: the column whose cells begin with a check box. Its heading begins where their texts do.
inline constexpr char kTickedColumn[] = "idemdeskTickedColumn";

} // namespace idemdesk::ui
