// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/duplicates/duplicate_model.h"
#include "models/request/request.h"

#include <QObject>

namespace idemdesk::models {

/// Fills in how much each group of a DuplicateModel is about, from the requests or responses of its sample of keys:
/// a few groups at a time, in their order, on the background lane. What cannot be read stays empty. Lives on the GUI
/// thread.
class DuplicateAmounts final : public QObject
{
    Q_OBJECT

public:
    explicit DuplicateAmounts(DuplicateModel *model, QObject *parent = nullptr);
    void setDatabase(sql::Database *database);
    void drop(); ///< other groups are searched for
    void read(); ///< of the groups that are there now; the search is over

private:
    void readNext();

    DuplicateModel *m_model;
    Request m_reading { QStringLiteral("duplicate amounts") };
    QList<sql::DuplicateGroup> m_left;
};

} // namespace idemdesk::models
