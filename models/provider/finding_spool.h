// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_comparison.h"

#include <QDataStream>
#include <QFile>
#include <QTemporaryDir>
#include <functional>
#include <memory>

namespace idemdesk::models {

/// What was found in a statement, in a private file that goes with this: a million findings need no memory. One thread
/// writes it to its end; after finish() any may read it, several at once.
class FindingSpool
{
public:
    /// Error: File.
    static sql::Result<std::shared_ptr<FindingSpool>> open();

    sql::Result<void> add(const StatementFinding &finding);
    sql::Result<void> finish();
    qint64 size() const { return m_size; }
    /// In their order; an error of the callback ends it.
    sql::Result<void> each(const std::function<sql::Result<void>(const StatementFinding &)> &onFinding) const;

private:
    FindingSpool() = default;

    QTemporaryDir m_folder; ///< only its owner may look into it
    std::unique_ptr<QFile> m_file;
    QDataStream m_out;
    qint64 m_size = 0;
};

} // namespace idemdesk::models
