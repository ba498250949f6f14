// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QByteArray>
#include <QString>

#include <functional>

namespace idemdesk::tests {

class TestCluster;

/// The data folder of a stopped cluster, kept in the build folder: a copy takes a third of initdb's time, with all that is
/// filled in. All its copies have one system identifier, so a program takes one copy and makes its other clusters itself.
class ClusterTemplate
{
public:
    /// name: of its folder. fill: run once in a running cluster. madeOf: what fill depends on; where that or the server
    /// has changed, the template is made anew.
    explicit ClusterTemplate(QString name, std::function<void(TestCluster &)> fill = {}, QByteArray madeOf = {});

    /// What the template holds, in a cluster that was not copied from it.
    void fill(TestCluster &cluster) const;
    /// Makes dataFolder, which is not there yet. Waits where another program is just making or copying the template.
    sql::Result<void> copyTo(const QString &dataFolder) const;

private:
    QByteArray stamp() const;
    sql::Result<void> make(const QString &folder) const;

    QString m_name;
    std::function<void(TestCluster &)> m_fill;
    QByteArray m_madeOf;
};

} // namespace idemdesk::tests
