// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace idemdesk::ui {

/// Shows one page of the help.
class HelpDialog final : public QDialog
{
    Q_OBJECT

public:
    /// `markdown` is the page; its links are not followed.
    HelpDialog(const QString &title, const QString &markdown, QWidget *parent);
};

} // namespace idemdesk::ui
