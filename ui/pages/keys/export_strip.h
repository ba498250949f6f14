// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/export_controller.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace idemdesk::ui {

class BusyBar;

/// The strip at the bottom of the page while rows are exported: progress, rate, Cancel; then where the file is.
class ExportStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit ExportStrip(models::ExportController *exporter, QWidget *parent = nullptr);
    /// Asks for a file and starts; the file's ending chooses the format.
    void choose(const sql::Target &target, const sql::Filter &filter, const QString &order);

private:
    void say(const QString &text, bool running);

    models::ExportController *m_exporter;
    QLabel *m_text;
    BusyBar *m_bar;
    QPushButton *m_cancel;
    QPushButton *m_dismiss;
};

} // namespace idemdesk::ui
