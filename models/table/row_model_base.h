// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/table/item_role.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// What all lists of rows share whatever their rows are: the format of times, and how further rows are asked for.
class RowModelBase : public QAbstractTableModel
{
    Q_OBJECT

public:
    using enum ItemRole;

    const TimeFormat &timeFormat() const { return m_timeFormat; }
    /// Says every cell anew that holds a time.
    void setTimeFormat(const TimeFormat &format);
    virtual bool showsTime(int column) const = 0;

    bool canFetchMore(const QModelIndex &parent) const final;
    void fetchMore(const QModelIndex &parent) final;
    void moreFailed() { m_asked = false; } ///< further rows may be asked for again

signals:
    void moreWanted(); ///< once, until further rows are there or failed

protected:
    using QAbstractTableModel::QAbstractTableModel;

    void setMore(bool more); ///< whether further rows are to be had
    void setAsked(bool asked) { m_asked = asked; } ///< while rows go in: whoever asks then would get them twice
    bool more() const { return m_more; }
    void sayAnew(int firstColumn, int lastColumn); ///< of all rows

private:
    TimeFormat m_timeFormat;
    bool m_more = false;
    bool m_asked = false;
};

} // namespace idemdesk::models
