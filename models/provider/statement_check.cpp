// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/statement_check.h"

#include "models/keys/private_file.h"
#include "models/provider/statement_words.h"

#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

sql::Result<StatementResult> checkStatement(sql::Session &session, const sql::Target &target,
    const StatementQuestion &question, StatementProgress *progress, const std::stop_token &stop)
{
    StatementResult result;
    result.provider = question.provider;
    TRY(const auto provider, sql::ProviderTarget::bind(session, target, true));
    TRY(const auto store, sql::StatementStore::open());
    TRY(result.facts, readStatement(question.path, question.map, provider, store.get(), stop, progress));
    TRY(result.all, FindingSpool::open());
    CompareStatementOptions options;
    options.since = question.since;
    options.until = question.until;
    options.marginSeconds = question.marginSeconds;
    options.stop = stop;
    options.progress = progress;
    TRY(result.all->fill([&]() -> sql::Result<void> {
        const auto keep = [&result](const StatementFinding &finding) {
            QList<StatementFinding> &kept = result.kept[finding.kind];
            if (kept.size() < kKeptOfKind) {
                kept.append(finding);
            }
            return result.all->add(finding);
        };
        TRY(result.answer, compareStatement(session, provider, result.facts, store.get(), options, keep));
        return {};
    }));
    return result;
}

sql::Result<QString> writeFindings(const FindingSpool &findings, const QString &path)
{
    const bool json = path.endsWith(u".jsonl"_s, Qt::CaseInsensitive);
    const auto written = writePrivateFile(path, [&](QIODevice &out) -> sql::Result<qint64> {
        qint64 bytes = json ? 0 : out.write(findingHeader());
        const auto done = findings.each([&](const StatementFinding &finding) -> sql::Result<void> {
            const QByteArray line = json ? QJsonDocument(findingJson(finding)).toJson(QJsonDocument::Compact) + '\n'
                                         : findingLine(finding);
            bytes += line.size();
            return out.write(line) == line.size() ? sql::Result<void>()
                                                  : sql::Result<void>(fileError(path, out.errorString(), false));
        });
        return done ? sql::Result<qint64>(bytes) : sql::Result<qint64>(done.error());
    });
    return written ? sql::Result<QString>(path) : sql::Result<QString>(written.error());
}

} // namespace idemdesk::models
