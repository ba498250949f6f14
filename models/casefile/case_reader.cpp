// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_reader.h"

#include "models/actions/action_journal.h"
#include "sql/actions/action_gateway.h"
#include "sql/audit/audit_gateway.h"
#include "sql/conflicts/conflict_gateway.h"
#include "sql/keys/key_gateway.h"
#include "sql/local/local_conflicts.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(CaseFile)
};

constexpr qint64 kShownBytes = 200'000; ///< of one value
constexpr int kMostConflicts = 200;

/// What cannot be seen for lack of a right or of the schema is left out; what is lost with the connection is an error.
bool absent(const sql::Error &error)
{
    return error.kind == sql::ErrorKind::Privilege || error.kind == sql::ErrorKind::MissingObject || error.sqlState == u"42P01" || error.sqlState == u"3F000" || error.sqlState == u"42883";
}

sql::Result<void> readConflictsOf(sql::Session &session, const sql::LocalPlace &here, const QString &key, CaseFile *file)
{
    sql::ConflictFilter filter;
    filter.key = key;
    filter.limit = kMostConflicts;
    const auto there = session.one({ u"SELECT COALESCE(pg_catalog.has_table_privilege(pg_catalog.to_regclass('idemdesk.conflict'), 'SELECT'), false)"_s, {} });
    if (!there) {
        return there.error();
    }
    if (there->constFirst().text == u"t") {
        const auto page = sql::readConflicts(session, filter);
        if (!page) {
            return page.error();
        }
        file->conflicts += page->rows;
        file->conflictsKnown = true;
    } else if (here.kept()) {
        const auto local = sql::LocalConflicts::open(here);
        const auto page = local ? (*local)->page(filter) : sql::Result<sql::ConflictPage>(local.error());
        if (!page) {
            return page.error();
        }
        file->conflicts += page->rows;
        file->conflictsKnown = file->conflictsKnown || !page->rows.isEmpty(); // an import that does not name the key says nothing of other times
    }
    return {};
}

sql::Result<void> readSubject(sql::Session &session, const CaseSubject &subject, CaseFile *file)
{
    const sql::Target &target = subject.target;
    const auto records = sql::findKey(session, target, subject.key, subject.scope);
    if (!records) {
        return records.error();
    }
    if (records->isEmpty()) {
        sql::Error error;
        error.kind = sql::ErrorKind::Other;
        error.what = Tr::tr("There is no key “%1” in %2.").arg(subject.key, target.profile.relation);
        error.todo = Tr::tr("It may have been purged; the trail of purges and the logs may still tell of it.");
        return error;
    }
    for (const sql::KeyRecord &record : *records) {
        const auto detail = sql::readDetail(session, target, record.identity, kShownBytes);
        if (!detail) {
            return detail.error();
        }
        CaseRow row;
        row.targetTitle = target.profile.title.isEmpty() ? target.profile.name : target.profile.title;
        row.relation = target.profile.relation;
        row.key = subject.key;
        row.masked = maskedColumns(target.profile);
        for (const sql::LabelledExpression &part : target.profile.scope) {
            row.scopeLabels += part.label;
        }
        row.detail = *detail;
        row.story = storyOf(target, *detail);
        if (!subject.registeredName.isEmpty()) {
            const auto touches = sql::readTouches(session, subject.registeredName, record.identity);
            if (touches) {
                row.touches = *touches;
            } else if (!absent(touches.error())) {
                return touches.error();
            }
        }
        file->madeAt = detail->now.toDateTime();
        file->rows += row;
    }
    return {};
}

} // namespace

sql::Result<CaseFile> readCase(sql::Session &session, const QList<CaseSubject> &subjects, const sql::LocalPlace &conflictsHere)
{
    CaseFile file;
    file.server = ActionJournal::serverOf(session.facts());
    file.madeBy = session.facts().user;
    QList<sql::Target> targets;
    for (const CaseSubject &subject : subjects) {
        const auto read = readSubject(session, subject, &file);
        if (!read) {
            return read.error();
        }
        targets.resize(file.rows.size(), subject.target);
    }
    for (const QString &key : caseKeys(file)) {
        if (const auto read = readConflictsOf(session, conflictsHere, key, &file); !read) {
            return read.error();
        }
    }
    if (const auto trail = sql::verifyAudit(session)) {
        file.trail = *trail;
    } else if (!absent(trail.error())) {
        return trail.error();
    }
    file.verdict = judge(verdictFacts(targets, file));
    return file;
}

} // namespace idemdesk::models
