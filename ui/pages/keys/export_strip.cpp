// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys/export_strip.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/questions.h"

#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ExportStrip::ExportStrip(models::ExportController *exporter, QWidget *parent)
    : QWidget(parent)
    , m_exporter(exporter)
    , m_text(wrappedLabel({}, this))
    , m_bar(new BusyBar(u"exportBusy"_s, tr("Export is under way"), this)) // how many rows is not known beforehand
    , m_cancel(new QPushButton(tr("Cancel export"), this))
    , m_dismiss(new QPushButton(tr("Close"), this))
{
    setObjectName(u"exportStrip"_s);
    m_text->setObjectName(u"exportText"_s);
    m_cancel->setObjectName(u"exportCancel"_s);
    auto *layout = barRow({}, this);
    layout->setContentsMargins(0, kGrid, 0, kGrid);
    layout->addWidget(m_bar);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_cancel);
    layout->addWidget(m_dismiss);
    connect(m_cancel, &QPushButton::clicked, exporter, &models::ExportController::cancel);
    connect(m_dismiss, &QPushButton::clicked, this, &QWidget::hide);
    connect(exporter, &models::ExportController::progress, this,
        [this] { say(tr("Exporting to %1: %2").arg(m_exporter->path(), m_exporter->progressText()), true); });
    connect(exporter, &models::ExportController::started, this,
        [this] { say(tr("Exporting to %1").arg(m_exporter->path()), true); });
    connect(
        exporter, &models::ExportController::finished, this, [this](const QString &path, qint64 rows, qint64 bytes) {
            say(tr("Exported %1 (%2) to %3.").arg(models::rowsText(rows), models::bytesText(bytes), path), false);
        });
    connect(exporter, &models::ExportController::cancelled, this,
        [this] { say(tr("The export was cancelled; no file was left behind."), false); });
    connect(exporter, &models::ExportController::failed, this,
        [this](const sql::Error &error) { say(error.line(), false); });
    hide();
}

void ExportStrip::say(const QString &text, bool running)
{
    m_text->setText(models::displayText(text, 600));
    m_bar->setVisible(running);
    m_cancel->setVisible(running);
    m_dismiss->setVisible(!running);
    show();
}

void ExportStrip::choose(const sql::Target &target, const sql::Filter &filter, const QString &order)
{
    if (m_exporter->running()) {
        return;
    }
    QFileDialog *dialog = saveFileDialog(this, u"exportDialog"_s, tr("Export all that matches"),
        target.profile.name + u".csv"_s, { tr("Comma-separated values (*.csv)"), tr("JSON Lines (*.jsonl)") });
    dialog->setLabelText(QFileDialog::Accept, tr("Export"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, target, filter, order](const QString &path) {
        m_exporter->start(target, filter, order,
            path.endsWith(u".jsonl"_s) ? models::ExportFileFormat::JsonLines : models::ExportFileFormat::Csv, path);
    });
    openDialog(dialog);
}

} // namespace idemdesk::ui
