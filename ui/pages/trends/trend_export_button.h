// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"

#include <QToolButton>

namespace idemdesk::models {
class TrendController;
}

namespace idemdesk::ui {

class TrendChart;

/// Takes a chart, or its numbers, out of the console: as a picture, a drawing, a file or a copy.
class TrendExportButton final : public QToolButton
{
    Q_OBJECT

public:
    explicit TrendExportButton(models::TrendController *trends, QWidget *parent = nullptr);
    void setChart(TrendChart *chart) { m_chart = chart; } ///< whose picture and drawing are written

signals:
    void written(const QString &path);
    void failed(const idemdesk::sql::Error &error);

private:
    void copyNumbers();
    void copyPicture();
    void ask(const QString &suffix);
    void write(const QString &path, const QString &suffix);

    models::TrendController *m_trends;
    TrendChart *m_chart = nullptr;
};

} // namespace idemdesk::ui
