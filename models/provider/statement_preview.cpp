// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/statement_preview.h"

#include "models/background.h"

namespace idemdesk::models {

StatementPreviewer::StatementPreviewer(QObject *parent)
    : QObject(parent)
    , m_list(new PreviewList(this))
{
    connect(&m_reading, &Request::changed, this, &StatementPreviewer::changed);
}

void StatementPreviewer::look(const QString &path, const StatementMap &map)
{
    m_reading.follow(
        later<StatementPreview>([path, map] { return previewStatement(path, map); }), [] {},
        [this](const sql::Result<StatementPreview> &read) {
            m_preview = read ? std::optional(*read) : std::nullopt;
            m_list->setLines(read ? read->lines : QList<MappedLine>());
        });
}

void StatementPreviewer::forget()
{
    m_reading.drop();
    m_reading.clearError();
    m_preview.reset();
    m_list->setLines({});
}

} // namespace idemdesk::models

#include "moc_statement_preview.cpp"
