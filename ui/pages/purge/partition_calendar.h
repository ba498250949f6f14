// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/purge/purge_picture.h"

#include <QWidget>

class QPainter;

namespace idemdesk::ui {

/// The partitions of a table by the time that they hold, one field each: which may go whole, of which some rows may,
/// which are needed. Where each holds a day or so they stand in a line a month, else in one after the other. A click,
/// or the arrow keys, chooses one.
class PartitionCalendar final : public QWidget
{
    Q_OBJECT

public:
    explicit PartitionCalendar(QWidget *parent = nullptr);
    /// textOf: by row, what is to be said of a partition. zone: what to call the one of the periods' times.
    void setPeriods(const QList<models::PartitionPeriod> &periods, const QStringList &textOf, const QString &zone);
    void setCurrent(int row); ///< of the partitions; -1: none
    QRect fieldOf(int number) const; ///< of the periods

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return { 100, sizeHint().height() }; }

signals:
    void chosen(int row);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void place();
    int fieldWidth() const;
    int periodAt(const QPoint &point) const;
    void choose(int number);
    void paintField(QPainter *painter, int number) const;
    void underline(QPainter *painter, const QRect &field, models::PartitionPeriod::Verdict verdict, int margin) const;
    void paintLegend(QPainter *painter) const;
    QString beginText() const;

    QList<models::PartitionPeriod> m_periods;
    QStringList m_texts;
    QList<QPoint> m_places; ///< column and line, by period
    QStringList m_lines; ///< titles of the lines
    bool m_days = false; ///< each holds few days: the fields say the day
    bool m_times = false; ///< some begin within a day: the fields say the time, too
    QString m_zone; ///< whose days they are
    int m_current = -1; ///< of the periods
};

} // namespace idemdesk::ui
