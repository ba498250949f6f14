// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/state_delegate.h"

#include <QToolButton>
#include <optional>

namespace idemdesk::ui {

/// A small button that is on or off: a quick filter, a class of rows.
class Chip final : public QToolButton
{
    Q_OBJECT

public:
    explicit Chip(const QString &objectName, QWidget *parent);
    /// Puts a badge's sign in its colour before the text; its own text is not shown.
    void setMark(const Badge &mark);

private:
    void applyColors();

    std::optional<Badge> m_mark;
};

} // namespace idemdesk::ui
