// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/preview_list.h"
#include "models/provider/statement_file.h"
#include "models/request/request.h"

#include <QObject>

namespace idemdesk::models {

/// The beginning of a statement, read in the background while a person says what its columns mean. Lives on the GUI
/// thread.
class StatementPreviewer final : public QObject
{
    Q_OBJECT

public:
    explicit StatementPreviewer(QObject *parent = nullptr);

    /// Reads the first lines by the map; an empty one is guessed. The newest question alone is answered; changed()
    /// follows.
    void look(const QString &path, const StatementMap &map);
    void forget();
    bool busy() const { return m_reading.busy(); }
    std::optional<sql::Error> error() const { return m_reading.error(); }
    const std::optional<StatementPreview> &preview() const { return m_preview; } ///< of the newest answer
    PreviewList *list() const { return m_list; }

signals:
    void changed();

private:
    Request m_reading { QStringLiteral("statementPreview") };
    std::optional<StatementPreview> m_preview;
    PreviewList *m_list;
};

} // namespace idemdesk::models
