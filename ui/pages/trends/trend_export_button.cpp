// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/trends/trend_export_button.h"

#include "models/keys/private_file.h"
#include "models/trends/trend_controller.h"
#include "models/trends/trend_export.h"
#include "ui/charts/trend_chart.h"
#include "ui/widgets/questions.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

TrendExportButton::TrendExportButton(models::TrendController *trends, QWidget *parent)
    : QToolButton(parent)
    , m_trends(trends)
{
    setObjectName(u"trendsExport"_s);
    setText(tr("Export"));
    setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(this);
    menu->addAction(tr("Picture (&PNG)…"), this, [this] { ask(u"png"_s); });
    menu->addAction(tr("&Drawing (SVG)…"), this, [this] { ask(u"svg"_s); });
    menu->addAction(tr("&Numbers (CSV)…"), this, [this] { ask(u"csv"_s); });
    menu->addSeparator();
    menu->addAction(tr("Copy as pic&ture"), this, &TrendExportButton::copyPicture);
    menu->addAction(tr("&Copy the numbers"), this, &TrendExportButton::copyNumbers);
    setMenu(menu);
}

void TrendExportButton::copyNumbers()
{
    if (m_trends->answer()) {
        QGuiApplication::clipboard()->setText(
            QString::fromUtf8(models::trendCsv(*m_trends->answer(), m_trends->previous())));
    }
}

void TrendExportButton::copyPicture()
{
    if (m_trends->answer()) {
        QGuiApplication::clipboard()->setImage(QImage::fromData(m_chart->png(), "PNG"));
    }
}

void TrendExportButton::ask(const QString &suffix)
{
    QFileDialog *dialog = saveFileDialog(this, u"trendsExportDialog"_s, tr("Export the chart"),
        m_trends->choice().metric + u'.' + suffix, { u"*."_s + suffix });
    dialog->setLabelText(QFileDialog::Accept, tr("Export"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, suffix](const QString &path) { write(path, suffix); });
    openDialog(dialog);
}

void TrendExportButton::write(const QString &path, const QString &suffix)
{
    if (!m_trends->answer()) {
        return;
    }
    const QByteArray bytes = suffix == u"csv" ? models::trendCsv(*m_trends->answer(), m_trends->previous())
        : suffix == u"svg"                    ? m_chart->svg(m_trends->answer()->metric.title)
                                              : m_chart->png();
    if (const auto done = models::writePrivateFile(path, bytes); !done) {
        emit failed(done.error());
    } else {
        emit written(path);
    }
}

} // namespace idemdesk::ui
