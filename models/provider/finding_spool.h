// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_comparison.h"

#include <QDataStream>
#include <QTemporaryDir>
#include <functional>
#include <memory>

namespace idemdesk::models {

/// What was found in a statement, in a private file that goes with this: a million findings need no memory. One thread
/// writes it; then any may read it, several at once.
class FindingSpool
{
public:
    /// Error: File.
    static sql::Result<std::shared_ptr<FindingSpool>> open();

    /// Runs `find`, which adds what it finds; an error from it leaves nothing.
    sql::Result<void> fill(const std::function<sql::Result<void>()> &find);
    sql::Result<void> add(const StatementFinding &finding); ///< within fill()
    qint64 size() const { return m_size; }
    /// In their order; an error of the callback ends it.
    sql::Result<void> each(const std::function<sql::Result<void>(const StatementFinding &)> &onFinding) const;

private:
    FindingSpool() = default;
    QString path() const { return m_folder.filePath(QStringLiteral("findings")); }

    QTemporaryDir m_folder; ///< only its owner may look into it
    QDataStream m_out; ///< to the file, while it is filled
    qint64 m_size = 0;
};

} // namespace idemdesk::models
