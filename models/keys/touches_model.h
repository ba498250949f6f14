// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/actions/action_gateway.h"

namespace idemdesk::models {

/// Who touched a key through the console, newest first.
class TouchesModel final : public RowModel<TouchesModel, sql::KeyTouch>
{
    Q_OBJECT

public:
    enum Column { When, Who, What, Why, ColumnCount };

    explicit TouchesModel(QObject *parent = nullptr);
    void setTouches(const QList<sql::KeyTouch> &touches);

    static std::span<const ColumnSpec> columns();
};

} // namespace idemdesk::models
