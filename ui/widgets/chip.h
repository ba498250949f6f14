// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace idemdesk::ui {

/// A small button that is on or off: a quick filter, a class of rows.
class Chip final : public QToolButton
{
    Q_OBJECT

public:
    explicit Chip(const QString &objectName, QWidget *parent);

private:
    void applyColors();
};

} // namespace idemdesk::ui
