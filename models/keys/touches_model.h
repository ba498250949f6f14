// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/actions/action_gateway.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// Who touched a key through the console, newest first.
class TouchesModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { When, Who, What, Why, ColumnCount };

    explicit TouchesModel(QObject *parent = nullptr);
    void setTouches(const QList<sql::KeyTouch> &touches);
    void setTimeFormat(const TimeFormat &format);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const sql::KeyTouch &touch, int column) const;

    QList<sql::KeyTouch> m_touches;
    TimeFormat m_format;
};

} // namespace idemdesk::models
