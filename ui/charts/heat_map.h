// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

namespace idemdesk::ui {

/// Numbers in rows and columns, each cell the stronger the larger its number. A corner marks those of which a part is
/// trouble, hatching those in which a sample had nothing. One is chosen by a click, or with the arrow keys and Enter.
/// Rows that do not fit are left out from the end.
class HeatMap final : public QWidget
{
    Q_OBJECT

public:
    struct Cells {
        QStringList rows;
        QStringList columns;
        QList<QList<double>> values; ///< by rows
        QList<QList<double>> trouble; ///< how many of them
        bool sampled = false; ///< reckoned from a sample: 0 is none seen, not none
        int counted = 0; ///< columns from the left that are counted all the same

        friend bool operator==(const Cells &, const Cells &) = default;
    };

    /// columnsTitle: what the headings of the columns are; it stands before them.
    HeatMap(const QString &name, const QString &columnsTitle, QWidget *parent = nullptr);

    /// textOf: a cell in words.
    void setCells(const Cells &cells, const std::function<QString(int row, int column)> &textOf);
    void setTroubleTitle(const QString &title) { m_troubleTitle = title; } ///< what a marked corner means
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
    void paintLegend(QPainter *painter) const;
    bool hasLegend() const { return !m_corners.isEmpty() || m_unseen; }
    int shownRows() const; ///< that fit above the legend
    void findTop();
    bool unseen(int row, int column) const; ///< nothing was met there, which does not say that nothing is there

    QString m_columnsTitle;
    Cells m_cells;
    QString m_troubleTitle;
    double m_top = 0;
    QList<QPoint> m_corners; ///< column and row of the cells with far more trouble than the rest
    bool m_unseen = false; ///< some cell is hatched
    bool m_dimmed = false;
    std::function<QString(int, int)> m_textOf;
    int m_row = -1;
    int m_column = -1;
};

} // namespace idemdesk::ui
