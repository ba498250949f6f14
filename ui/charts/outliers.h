// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

namespace idemdesk::ui {

/// Which places hold far more trouble than the rest, by what their rows would lead to expect: at least twice as much,
/// and of those the `most` with the greatest excess, with those that are as bad as the last of them. None where there
/// is as much everywhere; and of places that hold equally much none where they are over a third of all with rows: a
/// sign over everything says nothing.
QList<int> outliers(const QList<double> &trouble, const QList<double> &rows, int most);

} // namespace idemdesk::ui
