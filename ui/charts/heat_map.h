// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

namespace idemdesk::ui {

/// Numbers in rows and columns, each cell the stronger the more there are; where a part of them is trouble, the
/// stronger the more of that. One is chosen by a click, or with the arrow keys and Enter. Rows that do not fit are left
/// out from the end.
class HeatMap final : public QWidget
{
    Q_OBJECT

public:
    /// columnsTitle: what the headings of the columns are; it stands before them.
    HeatMap(const QString &name, const QString &columnsTitle, QWidget *parent = nullptr);

    /// textOf: a cell in words. values: by rows. trouble: how many of them; all 0: the values themselves are shaded.
    void setCells(const QStringList &rows, const QStringList &columns, const QList<QList<double>> &values,
        const QList<QList<double>> &trouble, const std::function<QString(int row, int column)> &textOf);
    void setTroubleTitle(const QString &title) { m_troubleTitle = title; } ///< what the shade means, beside the titles
    void setDimmed(bool dimmed); ///< of a filter that is no more
    QRect cellRect(int row, int column) const;

    QSize sizeHint() const override;

signals:
    void chosen(int row, int column);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    QPoint cellAt(const QPoint &place) const; ///< column and row; (-1, -1): none
    int headWidth() const;
    int lineHeight() const;
    void mark(int row, int column);
    void choose(int row, int column);
    void paintCell(QPainter *painter, int row, int column) const;
    void paintCorner(QPainter *painter) const;
    void findTop();

    QString m_columnsTitle;
    QStringList m_rows;
    QStringList m_columns;
    QList<QList<double>> m_values;
    QList<QList<double>> m_trouble;
    QString m_troubleTitle;
    double m_top = 0; ///< of what is shaded
    bool m_troubled = false; ///< some are trouble: these are shaded
    bool m_dimmed = false;
    std::function<QString(int, int)> m_textOf;
    int m_row = -1;
    int m_column = -1;
};

} // namespace idemdesk::ui
