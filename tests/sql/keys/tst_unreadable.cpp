// SPDX-License-Identifier: GPL-3.0-or-later
// Exact reading 7: one row whose expressions fail counts as unknown and stops nothing. Every place of a
// profile that can fail, by every reading over many rows.
#include "sql/actions/triage_reader.h"
#include "sql/duplicates/duplicate_gateway.h"
#include "sql/health/health_report.h"
#include "sql/keys/counting.h"
#include "sql/keys/scope_retries.h"
#include "sql/keys/unreadable.h"
#include "sql/trends/trend_gateway.h"
#include "sql/trends/trend_metrics.h"
#include "sql/trends/trend_snapshot.h"
#include "tests/sql/keys/keys_fixture.h"

#include <QBuffer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::sql;
using idemdesk::tests::KeysFixture;

namespace {

using Reading = std::function<Result<void>(Session &, const Target &)>;

struct NamedReading {
    const char *name;
    Reading read;
};

template <typename T> Result<void> ended(const Result<T> &result)
{
    return result ? Result<void>() : Result<void>(result.error());
}

Filter stateFilter(const QStringList &states)
{
    FilterTerm term;
    term.field = FilterField::State;
    term.values = states;
    return { {}, { term } };
}

PageRequest pageOf(const Filter &filter, const QString &order = u"identity"_s)
{
    PageRequest request;
    request.filter = filter;
    request.order = order;
    request.limit = 500;
    return request;
}

QList<NamedReading> readings()
{
    QList<NamedReading> all {
        { "page", [](Session &s, const Target &t) { return ended(readPage(s, t, pageOf({}))); } },
        { "page of a state",
            [](Session &s, const Target &t) {
                return ended(readPage(s, t, pageOf(stateFilter({ u"succeeded"_s, u"failed_final"_s }))));
            } },
        { "page of stale and expired",
            [](Session &s, const Target &t) {
                return ended(readPage(s, t, pageOf(stateFilter({ u"stale"_s, u"expired"_s }))));
            } },
        { "page in the profile's order",
            [](Session &s, const Target &t) { return ended(readPage(s, t, pageOf({}, u"made"_s))); } },
        { "scopes", [](Session &s, const Target &t) { return ended(readScopes(s, t, {}, 50, 10'000)); } },
        { "scopes of a large table",
            [](Session &s, const Target &t) {
                Target large = t;
                large.relation.estimatedRows = 10'000'000;
                return ended(readScopes(s, large, {}, 50, 10'000));
            } },
        { "retries",
            [](Session &s, const Target &t) {
                return t.profile.has(Role::Attempts) ? ended(readScopeRetries(s, t, 50)) : Result<void>();
            } },
        { "overview", [](Session &s, const Target &t) { return ended(readSummary(s, t, 10'000)); } },
        { "overview of a large table",
            [](Session &s, const Target &t) {
                Target large = t;
                large.relation.estimatedRows = 10'000'000;
                return ended(readSummary(s, large, 10'000));
            } },
        { "count",
            [](Session &s, const Target &t) {
                return ended(countRows(s, t, stateFilter({ u"succeeded"_s }), 0, std::nullopt));
            } },
        { "boundaries",
            [](Session &s, const Target &t) {
                return ended(readBoundaries(s, t, stateFilter({ u"succeeded"_s }), u"made"_s, 10, std::nullopt));
            } },
        { "cost",
            [](Session &s, const Target &t) {
                return ended(filterCost(s, t, stateFilter({ u"succeeded"_s }), u"identity"_s));
            } },
        { "completion",
            [](Session &s, const Target &t) {
                for (const FilterField field : { FilterField::Scope, FilterField::Status, FilterField::Owner,
                         FilterField::Error, FilterField::Key }) {
                    if (const auto done = suggestValues(s, t, field, {}, u"t"_s, 10); !done) {
                        return Result<void>(done.error());
                    }
                }
                return Result<void>();
            } },
        { "purge plan",
            [](Session &s, const Target &t) {
                return ended(
                    planPurge(s, t, { KeyState::Succeeded, KeyState::FailedFinal }, std::nullopt, std::nullopt));
            } },
        { "triage", [](Session &s, const Target &t) { return ended(readTriage(s, t, {}, true, 1'000)); } },
        { "requeue's rows",
            [](Session &s, const Target &t) {
                return ended(readTriage(s, t, stateFilter({ u"failed_final"_s }), false, 1'000));
            } },
        { "duplicates", [](Session &s, const Target &t) { return ended(findDuplicates(s, t, {})); } },
        { "sample", [](Session &s, const Target &t) { return ended(readSnapshot(s, t)); } },
        { "health",
            [](Session &s, const Target &t) {
                const auto report = readHealth(s, t);
                if (!report) {
                    return Result<void>(report.error());
                }
                for (const HealthFinding &finding : report->findings) {
                    if (finding.level == HealthLevel::Unknown) {
                        return Result<void>(makeError(ErrorKind::Other, finding.id + u": "_s + finding.seen));
                    }
                }
                return Result<void>();
            } },
        { "key by scope", [](Session &s, const Target &t) { return ended(rowsWithKey(s, t, u"k5"_s, {})); } },
    };
    for (const ExportFormat format : { ExportFormat::Csv, ExportFormat::JsonLines }) {
        all.append({ format == ExportFormat::Csv ? "export as CSV" : "export as JSON Lines",
            [format](Session &s, const Target &t) {
                QBuffer buffer;
                buffer.open(QIODevice::WriteOnly);
                const auto done = exportRows(s, t, {}, u"identity"_s, format, buffer, nullptr);
                if (done && done->rows != 300) {
                    return Result<void>(makeError(ErrorKind::Other, QString::number(done->rows) + u" rows"_s));
                }
                const qsizetype lines = buffer.data().count('\n') - (format == ExportFormat::Csv ? 1 : 0);
                if (done && lines != 300) {
                    return Result<void>(makeError(ErrorKind::Other, QString::number(lines) + u" lines"_s));
                }
                return ended(done);
            } });
    }
    all.append({ "trends", [](Session &s, const Target &t) {
                    const auto metrics = trendMetrics(t);
                    for (const TrendMetric &metric : metrics) {
                        TrendRequest request;
                        request.metric = metric.id;
                        request.source = TrendSource::Rows;
                        request.byScope = true;
                        if (metric.available(TrendSource::Rows)) {
                            if (const auto done = readTrend(s, t, request); !done) {
                                return Result<void>(
                                    makeError(ErrorKind::Other, metric.id + u": "_s + done.error().line()));
                            }
                        }
                    }
                    return Result<void>();
                } });
    return all;
}

/// Every place of a profile whose expression can fail.
QStringList everyPlace()
{
    QStringList places { u"key"_s, u"scope.sql"_s, u"stale.by"_s, u"stale.when"_s, u"purge.by"_s, u"purge.when"_s,
        u"orders.sql"_s, u"aliases.sql"_s, u"fields.sql"_s, u"policies.max_attempts"_s, u"policies.stale_after"_s,
        u"business_reference"_s, u"effects"_s };
    for (int i = 0; i < kRoleCount; ++i) {
        places += u"roles."_s + roleName(static_cast<Role>(i));
    }
    return places;
}

/// The expression, failing on the row whose text is no JSON.
QString failing(const QString &sql)
{
    return u"CASE WHEN t.j::jsonb IS NOT NULL THEN "_s + sql + u" END"_s;
}

const QByteArray kProfile = R"json({
  "idemdesk_profile": 1, "name": "broken", "kind": "request", "relation": "broken.rows",
  "identity": ["id"], "scope": [{"label": "tenant", "sql": "t.tenant"}], "key": "t.key",
  "roles": {"fingerprint": "t.hash", "status": "t.status", "attempts": "t.attempts", "owner": "t.owner", "claimed_at": "t.created",
            "lease_until": "t.lease", "heartbeat_at": "t.beat", "created_at": "t.created", "updated_at": "t.updated", "completed_at": "t.updated",
            "expires_at": "t.expires", "result_type": "t.kind", "result_id": "t.result", "response_code": "t.code",
            "response_body": "t.body", "request_payload": "t.body", "error_code": "t.error", "error_message": "t.error"},
  "states": {"open": "in_progress", "done": "succeeded", "again": "failed_retryable", "dead": "failed_final"},
  "stale": [{"states": ["in_progress"], "by": "t.lease", "after": "0s", "when": "t.attempts < 100"}],
  "guard": ["status", "lease"],
  "actions": {"recover": [{"from": ["in_progress"], "to": "failed_retryable", "set": {"status": "'again'"}}],
              "requeue": [{"from": ["failed_final"], "to": "failed_retryable", "set": {"status": "'again'"}}], "reclassify": []},
  "purge": [{"by": "t.expires", "after": "0s", "states": ["succeeded", "failed_final"], "when": "t.attempts >= 0"}],
  "orders": [{"label": "made", "sql": "t.created", "nulls": "last"}],
  "aliases": [{"label": "result", "sql": "t.result"}],
  "fields": [{"label": "note", "sql": "t.result"}],
  "effects": [{"type": "order", "proves": true, "sql": "SELECT o.id, o.at, NULL::text AS state FROM broken.effects o WHERE o.key = t.key"}],
  "policies": [{"match": {"tenant": "t1"}, "effect": "local", "max_attempts": "t.attempts + 1", "stale_after": "t.attempts * interval '1 second'",
                "windows": {"client_retry": "1h"}},
               {"match": {}, "effect": "local"}],
  "business_reference": ["t.result"]
})json";

} // namespace

class UnreadableTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void nothingStops_data();
    void nothingStops();
    void aBadRowIsUnknown();
    void oneStateInLists_data() { placesData(); }
    void oneStateInLists();
    void oneStateInCounts_data() { placesData(); }
    void oneStateInCounts();
    void oneStateInExports_data() { placesData(); }
    void oneStateInExports();
    void oneStateInActions_data() { placesData(); }
    void oneStateInActions();
    void healthLooksFirst_data() { placesData(); }
    void healthLooksFirst();
    void whatCannotBeLookedAtIsNotGood();
    void aPageOfManyBadRowsIsWhole();
    void newRowsBreakWhileItIsRead();
    void theRowsAreFound_data();
    void theRowsAreFound();
    void aHundredIsAnAnswer();

private:
    Target broken(const QString &place, const QString &relation = u"broken.rows"_s);
    static void placesData();
    QByteArray exported(const Target &target, const Filter &filter, ExportFormat format);
    std::unique_ptr<KeysFixture> m_fixture;
};

void UnreadableTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<KeysFixture>();
    m_fixture->psql(u"CREATE ROLE reader; CREATE SCHEMA broken; CREATE TABLE broken.effects (key text, id "
                    u"text, at timestamptz); INSERT INTO broken.effects VALUES ('k3', 'o-3', now());"
                    "CREATE TABLE broken.template (id int, tenant text, key text, status text, j text, "
                    "attempts int, hash text, owner text, lease timestamptz, "
                    "beat timestamptz, created timestamptz, updated timestamptz, expires timestamptz, kind "
                    "text, result text, code int, body jsonb, error text);"
                    "CREATE FUNCTION broken.fill(rows int) RETURNS SETOF broken.template LANGUAGE sql AS $$ "
                    "SELECT i, 't' || i % 3, 'k' || i, "
                    "(ARRAY['open', 'done', 'again', 'dead'])[1 + i % 4], '{}', i % 5, md5(i::text), 'w' || "
                    "i % 7, now() - interval '1 hour', now() - interval '1 hour', "
                    "now() - i * interval '1 minute', now() - i * interval '1 minute', now() - interval '1 "
                    "day', 'order', 'r-' || i / 2, 200, "
                    "jsonb_build_object('n', i / 2), 'e' FROM generate_series(1, rows) i $$;"
                    "CREATE TABLE broken.rows AS SELECT * FROM broken.fill(300); UPDATE broken.rows SET j = "
                    "'{broken' WHERE id = 77;"
                    "ALTER TABLE broken.rows ADD PRIMARY KEY (id); ANALYZE broken.rows"_s);
}

/// The profile with the expression at this place failing on the broken row.
Target UnreadableTest::broken(const QString &place, const QString &relation)
{
    QJsonObject profile = QJsonDocument::fromJson(kProfile).object();
    profile.insert(u"relation"_s, relation);
    const auto in = [&profile](const QString &list, int index, const QString &member) {
        QJsonArray entries = profile.value(list).toArray();
        QJsonObject entry = entries.at(index).toObject();
        entry.insert(member, failing(entry.value(member).toString()));
        entries[index] = entry;
        profile.insert(list, entries);
    };
    const QStringList parts = place.split(u'.');
    if (place == u"key") {
        profile.insert(u"key"_s, failing(u"t.key"_s));
    } else if (parts.first() == u"roles") {
        QJsonObject roles = profile.value(u"roles"_s).toObject();
        roles.insert(parts.last(), failing(roles.value(parts.last()).toString()));
        profile.insert(u"roles"_s, roles);
    } else if (place == u"business_reference") {
        profile.insert(u"business_reference"_s, QJsonArray { failing(u"t.result"_s) });
    } else if (place == u"effects") {
        QJsonArray effects = profile.value(u"effects"_s).toArray();
        QJsonObject effect = effects.at(0).toObject();
        effect.insert(u"sql"_s, effect.value(u"sql"_s).toString() + u" AND t.j::jsonb IS NOT NULL"_s);
        effects[0] = effect;
        profile.insert(u"effects"_s, effects);
    } else if (!place.isEmpty()) {
        in(parts.first(), 0, parts.last());
    }
    return m_fixture->bind(QJsonDocument(profile).toJson());
}

void UnreadableTest::nothingStops_data()
{
    QTest::addColumn<QString>("place");
    QTest::addColumn<int>("reading");
    const QStringList places = everyPlace();
    const QList<NamedReading> all = readings();
    for (const QString &place : places) {
        for (int i = 0; i < all.size(); ++i) {
            QTest::addRow("%s, %s", qPrintable(place), all.at(i).name) << place << i;
        }
    }
}

void UnreadableTest::nothingStops()
{
    QFETCH(QString, place);
    QFETCH(int, reading);
    const Target target = broken(place);
    QVERIFY2(std::none_of(target.findings.cbegin(), target.findings.cend(),
                 [](const Finding &finding) { return finding.severity == Finding::Severity::Problem; }),
        qPrintable(target.findings.isEmpty() ? QString() : target.findings.constFirst().text));
    const auto done = readings().at(reading).read(m_fixture->session(), target);
    QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().line() + done.error().detail));
}

void UnreadableTest::aBadRowIsUnknown()
{
    Session &session = m_fixture->session();
    const Target target = broken(u"roles.status"_s);
    const auto summary = readSummary(session, target, 10'000);
    QVERIFY(summary.ok());
    QCOMPARE(summary->rows.rows, 300);
    QCOMPARE(summary->states.value(KeyState::Unknown).rows, 1);
    QCOMPARE(summary->states.value(KeyState::Succeeded).rows, 74); // 75, but for the broken one
    QVERIFY(summary->notes.constFirst().startsWith(u"1 row"));
    const auto scopes = readScopes(session, target, {}, 50, 10'000);
    QVERIFY(scopes.ok());
    qint64 unknown = 0;
    for (const ScopeCounts &scope : scopes->scopes) {
        unknown += scope.states.value(KeyState::Unknown).rows;
    }
    QCOMPARE(unknown, 1);
    QVERIFY(!scopes->notes.isEmpty());
    const auto page = readPage(session, target, pageOf(stateFilter({ u"unknown"_s })));
    QVERIFY(page.ok());
    QCOMPARE(page->rows.size(), 1);
    QCOMPARE(page->rows.constFirst().key.text, u"k77"_s);
    QVERIFY(page->rows.constFirst().role(Role::Status).failed()); // the server's message in its cell
    const auto count = countRows(session, target, stateFilter({ u"succeeded"_s }), 0, std::nullopt);
    QVERIFY(count.ok());
    QCOMPARE(count->rows, 74);
    const auto plan
        = planPurge(session, target, { KeyState::Succeeded, KeyState::FailedFinal }, std::nullopt, std::nullopt);
    QVERIFY(plan.ok());
    QCOMPARE(plan->rows, 149);
    QVERIFY(plan->warnings.join(u' ').contains(u"1 row"));
}

void UnreadableTest::placesData()
{
    QTest::addColumn<QString>("place");
    QTest::addColumn<bool>("unknown"); // else only the evidence of the row cannot be read
    const QStringList places = everyPlace();
    for (const QString &place : places) {
        QTest::newRow(qPrintable(place)) << place << (place != u"effects");
    }
}

void UnreadableTest::oneStateInLists()
{
    QFETCH(QString, place);
    QFETCH(bool, unknown);
    Session &session = m_fixture->session();
    const Target target = broken(place);
    const int bad = unknown ? 1 : 0;
    const auto ids = [&](const Filter &filter, const QString &order) {
        const auto page = readPage(session, target, pageOf(filter, order));
        QSet<QString> found;
        for (const KeyRecord &record : page ? page->rows : QList<KeyRecord>()) {
            found += record.identity.constFirst().text;
        }
        return found;
    };
    for (const QString &order : { u"identity"_s, u"made"_s }) {
        QCOMPARE(ids({}, order).size(), 300);
        QCOMPARE(ids(stateFilter({ u"unknown"_s }), order), unknown ? QSet<QString> { u"77"_s } : QSet<QString>());
        QCOMPARE(ids(stateFilter({ u"succeeded"_s }), order).size(), 75 - bad);
        Filter others = stateFilter({ u"succeeded"_s });
        others.terms.first().negated = true;
        QCOMPARE(ids(others, order).size(), 225 + bad);
        QCOMPARE(ids(others, order).contains(u"77"_s), unknown);
    }
    // Page after page, past the row.
    PageRequest small = pageOf(stateFilter({ u"succeeded"_s }));
    small.limit = 10;
    QStringList seen;
    for (bool more = true; more && seen.size() < 100;) {
        const auto page = readPage(session, target, small);
        QVERIFY2(page.ok(), qPrintable(page.ok() ? QString() : page.error().line()));
        for (const KeyRecord &record : page->rows) {
            seen += record.identity.constFirst().text;
            QCOMPARE(record.state, KeyState::Succeeded);
        }
        more = page->more;
        small.from = { page->rows.constLast().orderValue, page->rows.constLast().identity };
    }
    QCOMPARE(seen.size(), 75 - bad);
    QCOMPARE(seen.removeDuplicates(), 0);
    const auto page = readPage(session, target, pageOf({}));
    QVERIFY(page.ok());
    QCOMPARE(page->rows.at(76).state, unknown ? KeyState::Unknown : KeyState::Succeeded);
    QCOMPARE(page->rows.at(76).fault.contains(u"type json"_s), unknown);
    const auto detail = readDetail(session, target, { Cell::of(u"77"_s) }, 1'000);
    QVERIFY(detail.ok());
    QCOMPARE(detail->record.state, unknown ? KeyState::Unknown : KeyState::Succeeded);
    QCOMPARE(detail->effects.constFirst().error.isEmpty(), unknown);
}

void UnreadableTest::oneStateInCounts()
{
    QFETCH(QString, place);
    QFETCH(bool, unknown);
    Session &session = m_fixture->session();
    const Target target = broken(place);
    const qint64 bad = unknown ? 1 : 0;
    const auto counted = [&](const QString &state) {
        const auto count = countRows(session, target, stateFilter({ state }), 0, std::nullopt);
        return count ? count->rows : -1;
    };
    QCOMPARE(counted(u"succeeded"_s), 75 - bad);
    QCOMPARE(counted(u"unknown"_s), bad);
    QCOMPARE(counted(u"expired"_s), 300 - bad);
    const auto bounds = readBoundaries(
        session, target, stateFilter({ u"unknown"_s, u"succeeded"_s }), u"identity"_s, 10, std::nullopt);
    QVERIFY(bounds.ok());
    QCOMPARE(bounds->rows, 75);
    const auto summary = readSummary(session, target, 10'000);
    QVERIFY(summary.ok());
    QCOMPARE(summary->rows.rows, 300);
    QCOMPARE(summary->states.value(KeyState::Unknown).rows, bad);
    QCOMPARE(summary->states.value(KeyState::Succeeded).rows, 75 - bad);
    QCOMPARE(summary->expired.rows, 300 - bad);
    QCOMPARE(summary->notes.isEmpty(), !unknown);
    Target large = target;
    large.relation.estimatedRows = 10'000'000;
    const auto bounded = readSummary(session, large, 10'000);
    QVERIFY(bounded.ok());
    QVERIFY(bounded->states.value(KeyState::Succeeded).kind != RowCount::Kind::Exact
        || bounded->states.value(KeyState::Succeeded).rows == 75 - bad);
    QVERIFY(!unknown || bounded->states.value(KeyState::Unknown).kind != RowCount::Kind::Exact);
    for (const Target &one : { target, large }) {
        const auto scopes = readScopes(session, one, {}, 50, 10'000);
        QVERIFY(scopes.ok());
        qint64 unknownRows = 0;
        qint64 succeeded = 0;
        for (const ScopeCounts &scope : scopes->scopes) {
            unknownRows += scope.states.value(KeyState::Unknown).rows;
            succeeded += scope.states.value(KeyState::Succeeded).rows;
        }
        QCOMPARE(unknownRows, bad);
        QCOMPARE(succeeded, 75 - bad);
        QCOMPARE(scopes->partly, unknown);
        // Only where the scope itself fails is the row in none.
        QCOMPARE(scopes->scopes.size(), place == u"scope.sql" ? 4 : 3);
    }
    for (const auto &[metric, rows] :
        { std::pair { u"completions"_s, 75 - bad }, std::pair { u"expired"_s, 150 - bad } }) {
        TrendRequest request;
        request.metric = metric;
        const auto trend = readTrend(session, target, request);
        QVERIFY2(trend.ok(), qPrintable(trend.ok() ? QString() : trend.error().line()));
        double sum = 0;
        for (const TrendSeries &series : trend->series) {
            for (const auto &value : series.values) {
                sum += value.value_or(0);
            }
        }
        QCOMPARE(sum, double(rows));
        QCOMPARE(trend->partly, unknown);
    }
}

QByteArray UnreadableTest::exported(const Target &target, const Filter &filter, ExportFormat format)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    const auto done = exportRows(m_fixture->session(), target, filter, u"identity"_s, format, buffer, nullptr);
    return done ? buffer.data() : done.error().line().toUtf8();
}

void UnreadableTest::oneStateInExports()
{
    QFETCH(QString, place);
    QFETCH(bool, unknown);
    const Target target = broken(place);
    const QByteArrayList lines = exported(target, {}, ExportFormat::JsonLines).split('\n');
    QCOMPARE(lines.size(), 301);
    for (int i = 0; i < 300; ++i) {
        const QJsonObject row = QJsonDocument::fromJson(lines.at(i)).object();
        QVERIFY2(!row.isEmpty(), lines.at(i).constData());
        QCOMPARE(row.contains(u"fault"_s), unknown && i == 76);
        QCOMPARE(row.value(u"state"_s).toString() == u"unknown", unknown && i == 76);
    }
    const QJsonObject bad = QJsonDocument::fromJson(lines.at(76)).object();
    const QByteArrayList table = exported(target, {}, ExportFormat::Csv).split('\n');
    QCOMPARE(table.size(), 302);
    const QByteArrayList titles = table.constFirst().trimmed().split(',');
    QVERIFY(titles.contains("fault"));
    const QByteArrayList cells = table.at(77).trimmed().split(',');
    QCOMPARE(cells.at(titles.indexOf("state")), unknown ? "unknown" : "succeeded");
    // What can be read is there, and what cannot is named.
    for (int i = 0; i < kRoleCount; ++i) {
        const QString role = roleName(static_cast<Role>(i));
        const bool fails = place == u"roles."_s + role;
        QVERIFY2(bad.value(role).isObject() ? fails || role == u"response_body" || role == u"request_payload" : !fails,
            lines.at(76).constData());
        QCOMPARE(bad.value(role).toObject().contains(u"error"_s), fails);
        if (const qsizetype column = titles.indexOf(role.toUtf8()); column >= 0) {
            QCOMPARE(cells.at(column).isEmpty(), fails);
        }
    }
    QCOMPARE(bad.value(u"key"_s).isObject(), place == u"key");
    QCOMPARE(bad.value(u"scope"_s)[u"tenant"_s].isObject(), place == u"scope.sql");
    if (unknown) {
        const QString named = place.startsWith(u"roles.") ? place.mid(6)
            : place == u"scope.sql"                       ? u"scope tenant"_s
            : place == u"orders.sql"                      ? u"order made"_s
            : place == u"aliases.sql"                     ? u"alias result"_s
            : place == u"fields.sql"                      ? u"field note"_s
            : place.startsWith(u"policies.")              ? place.mid(9)
                                                          : place.section(u'.', 0, 0);
        QVERIFY2(bad.value(u"fault"_s).toString().startsWith(named + u": "_s), lines.at(76).constData());
        QVERIFY2(table.at(77).contains(named.toUtf8() + ": "), table.at(77).constData());
    }
    QCOMPARE(exported(target, stateFilter({ u"unknown"_s }), ExportFormat::JsonLines).count('\n'), unknown ? 1 : 0);
    QCOMPARE(exported(target, stateFilter({ u"succeeded"_s }), ExportFormat::Csv).count('\n'), unknown ? 75 : 76);
}

void UnreadableTest::oneStateInActions()
{
    QFETCH(QString, place);
    QFETCH(bool, unknown);
    Session &session = m_fixture->session();
    const Target target = broken(place);
    const auto plan
        = planPurge(session, target, { KeyState::Succeeded, KeyState::FailedFinal }, std::nullopt, std::nullopt);
    QVERIFY2(plan.ok(), qPrintable(plan.ok() ? QString() : plan.error().line()));
    QCOMPARE(plan->rows, unknown ? 149 : 150);
    QCOMPARE(plan->warnings.join(u' ').contains(u"1 row"), unknown);
    const auto facts = readTriage(session, target, stateFilter({ u"succeeded"_s }), false, 1'000);
    QVERIFY2(facts.ok(), qPrintable(facts.ok() ? QString() : facts.error().line()));
    QCOMPARE(facts->rows.size(), unknown ? 74 : 75);
    QCOMPARE(facts->partly, unknown);
    const auto chosen
        = readTriageOf(session, target, { { Cell::of(u"76"_s) }, { Cell::of(u"77"_s) }, { Cell::of(u"78"_s) } });
    QVERIFY2(chosen.ok(), qPrintable(chosen.ok() ? QString() : chosen.error().line()));
    QCOMPARE(chosen->rows.size(), unknown ? 2 : 3);
    QCOMPARE(chosen->unreadable, unknown ? 1 : 0);
    for (const TriageFacts &row : chosen->rows) { // the evidence of one row is no matter of the others
        const bool bad = row.record.identity.constFirst().text == u"77";
        QCOMPARE(row.effects.constFirst().error.contains(u"type json"_s), bad);
    }
}

void UnreadableTest::healthLooksFirst()
{
    QFETCH(QString, place);
    QFETCH(bool, unknown);
    // What a key long expired did may be archived by now, so that its evidence is not looked at.
    m_fixture->psql(u"CREATE TABLE IF NOT EXISTS broken.fresh AS SELECT * FROM broken.rows; "
                    "UPDATE broken.fresh SET expires = now() + interval '1 day'"_s);
    const auto report = readHealth(m_fixture->session(), broken(place, u"broken.fresh"_s));
    QVERIFY(report.ok());
    const auto level = [&report](const QString &id) {
        for (const HealthFinding &finding : report->findings) {
            if (finding.id == id) {
                return int(finding.level);
            }
        }
        return -1;
    };
    QCOMPARE(level(u"unreadable"_s), int(unknown ? HealthLevel::Problem : HealthLevel::Good));
    QCOMPARE(level(u"unreadable_evidence"_s), unknown ? -1 : int(HealthLevel::Problem));
    for (const HealthFinding &finding : report->findings) {
        QVERIFY2(!finding.notRead, qPrintable(finding.id + u": "_s + finding.seen + finding.why));
    }
}

void UnreadableTest::whatCannotBeLookedAtIsNotGood()
{
    // Rows of a view have no place, so that none can be told from the others.
    m_fixture->psql(u"CREATE VIEW broken.seen AS SELECT * FROM broken.rows"_s);
    const Target view = broken(u"roles.fingerprint"_s, u"broken.seen"_s);
    const auto report = readHealth(m_fixture->session(), view);
    QVERIFY(report.ok());
    QVERIFY(report->notRead() > 0);
    for (const HealthFinding &finding : report->findings) {
        QVERIFY2(!finding.ofRows || finding.id != u"unreadable" || finding.level == HealthLevel::Unknown,
            qPrintable(finding.id + finding.seen));
    }
    m_fixture->psql(u"UPDATE broken.rows SET j = '{}' WHERE id = 77"_s);
    const auto mended = readHealth(m_fixture->session(), view);
    m_fixture->psql(u"UPDATE broken.rows SET j = '{broken' WHERE id = 77"_s);
    QVERIFY(mended.ok());
    QVERIFY(std::any_of(mended->findings.cbegin(), mended->findings.cend(), [](const HealthFinding &finding) {
        return finding.id == u"unreadable" && finding.level == HealthLevel::Good;
    }));
}

void UnreadableTest::aPageOfManyBadRowsIsWhole()
{
    m_fixture->psql(
        u"CREATE TABLE broken.some AS SELECT * FROM broken.fill(300); ALTER TABLE broken.some ADD PRIMARY KEY (id); "
        "UPDATE broken.some SET j = '{broken' WHERE id % 6 = 1"_s);
    const Target target = broken(u"roles.request_payload"_s, u"broken.some"_s);
    const auto page = readPage(m_fixture->session(), target, pageOf({}));
    QVERIFY2(page.ok(), qPrintable(page.ok() ? QString() : page.error().line()));
    for (const KeyRecord &record : page->rows) {
        const bool bad = record.identity.constFirst().text.toInt() % 6 == 1;
        QCOMPARE(record.state == KeyState::Unknown, bad);
    }
    const auto succeeded = readPage(m_fixture->session(), target, pageOf(stateFilter({ u"succeeded"_s })));
    QVERIFY(succeeded.ok());
    QCOMPARE(succeeded->rows.size(), 50); // 75, of which a third is bad
    PageRequest jump = pageOf(stateFilter({ u"succeeded"_s }));
    jump.skip = 40;
    const auto jumped = readPage(m_fixture->session(), target, jump);
    QVERIFY(jumped.ok());
    QCOMPARE(jumped->rows.size(), 10);
    QVERIFY(jumped->rows.constFirst().sameRow(succeeded->rows.at(40)));
}

void UnreadableTest::newRowsBreakWhileItIsRead()
{
    m_fixture->psql(
        u"CREATE TABLE broken.later AS SELECT * FROM broken.fill(300); ALTER TABLE broken.later ADD PRIMARY KEY (id); "
        "UPDATE broken.later SET j = '{broken' WHERE id = 10"_s);
    const Target target = broken(u"roles.status"_s, u"broken.later"_s);
    int readings = 0;
    QString note;
    const auto count
        = readAround(m_fixture->session(), target, false, &note, [&](const Target &around) -> Result<qint64> {
              if (++readings == 2) { // around the first one, another breaks
                  m_fixture->psql(u"UPDATE broken.later SET j = '{broken' WHERE id = 200"_s);
              }
              Render render(around);
              const CountColumns columns(render);
              const auto row = m_fixture->session().one(
                  render.finish(u"SELECT "_s + columns.aggregates() + render.from(), std::nullopt));
              if (!row) {
                  return row.error();
              }
              ScopeCounts counts;
              columns.fill(&counts, *row, 0);
              return counts.states.value(KeyState::Unknown).rows;
          });
    QVERIFY2(count.ok(), qPrintable(count.ok() ? QString() : count.error().line()));
    QCOMPARE(*count, 2);
    QCOMPARE(readings, 3);
}

void UnreadableTest::theRowsAreFound_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("make");
    QTest::addColumn<QList<int>>("bad");
    const QString rows = u"SELECT * FROM broken.fill(20000)"_s;
    const auto row = [&](const char *name, const QString &make, const QList<int> &bad) {
        QTest::newRow(name) << u"broken."_s + QString::fromLatin1(name) << make << bad;
    };
    row("none", u"CREATE TABLE broken.none AS "_s + rows, {});
    row("first", u"CREATE TABLE broken.first AS "_s + rows, { 1 });
    row("last", u"CREATE TABLE broken.last AS "_s + rows, { 20'000 });
    row("neighbours", u"CREATE TABLE broken.neighbours AS "_s + rows, { 5'000, 5'001, 5'002, 19'000 });
    row("parts",
        u"CREATE TABLE broken.parts (LIKE broken.template) PARTITION BY LIST (tenant); CREATE TABLE "
        u"broken.part0 PARTITION OF broken.parts FOR VALUES IN ('t0');"
        "CREATE TABLE broken.part1 PARTITION OF broken.parts DEFAULT; INSERT INTO broken.parts "_s
            + rows,
        { 3, 4, 15'000 });
    row("children",
        u"CREATE TABLE broken.children (LIKE broken.template); CREATE TABLE broken.child () INHERITS "
        u"(broken.children); "
        "INSERT INTO broken.children SELECT * FROM broken.fill(100); INSERT INTO broken.child "_s
            + rows.left(rows.size() - 1) + u") f WHERE f.id > 100"_s,
        { 50, 9'000 });
    row("wide",
        u"CREATE TABLE broken.wide AS SELECT * FROM broken.fill(300); UPDATE broken.wide SET error = repeat('x', 1500)"_s,
        { 7, 8, 299 });
}

void UnreadableTest::theRowsAreFound()
{
    QFETCH(QString, table);
    QFETCH(QString, make);
    QFETCH(QList<int>, bad);
    m_fixture->psql(make);
    QStringList ids;
    for (const int id : bad) {
        ids += QString::number(id);
    }
    m_fixture->psql(u"UPDATE "_s + table + u" SET j = '{broken' WHERE id = ANY ('{"_s + ids.join(u',') + u"}')"_s);
    const Target target = broken(u"roles.status"_s, table);
    // Somebody with rights on the table alone, not on its partitions.
    m_fixture->psql(u"GRANT USAGE ON SCHEMA broken TO reader; GRANT SELECT ON %1 TO reader"_s.arg(table));
    QVERIFY(m_fixture->session().run({ u"SET ROLE reader"_s, {} }).ok());
    const auto found = findUnreadable(m_fixture->session(), target);
    QVERIFY(m_fixture->session().run({ u"RESET ROLE"_s, {} }).ok());
    QVERIFY2(found.ok(), qPrintable(found.ok() ? QString() : found.error().line()));
    QCOMPARE(found->count, bad.size());
    QVERIFY(!found->many);
    QStringList seen;
    for (auto part = found->rows.cbegin(); part != found->rows.cend(); ++part) {
        seen += m_fixture->lines(u"SELECT id FROM %1 t WHERE t.tableoid = %2 AND t.ctid = ANY ('{\"%3\"}')"_s.arg(table)
                                     .arg(part.key())
                                     .arg(part->join(u"\",\""_s)));
    }
    std::sort(seen.begin(), seen.end(), [](const QString &a, const QString &b) { return a.toInt() < b.toInt(); });
    QCOMPARE(seen, ids);
    if (!bad.isEmpty()) {
        const auto around = countRows(m_fixture->session(), target, stateFilter({ u"unknown"_s }), 0, std::nullopt);
        QVERIFY(around.ok());
        QCOMPARE(around->rows, bad.size());
    }
}

void UnreadableTest::aHundredIsAnAnswer()
{
    m_fixture->psql(
        u"CREATE TABLE broken.many AS SELECT * FROM broken.fill(5000); UPDATE broken.many SET j = '{broken' WHERE id % 20 = 0"_s);
    const Target target = broken(u"roles.status"_s, u"broken.many"_s);
    const auto summary = readSummary(m_fixture->session(), target, 10'000);
    QVERIFY2(summary.ok(), qPrintable(summary.ok() ? QString() : summary.error().line()));
    QVERIFY2(summary->notes.constFirst().startsWith(u"100 or more rows are unreadable"),
        qPrintable(summary->notes.constFirst()));
    QCOMPARE(summary->rows.rows, 5'000);
    QCOMPARE(summary->states.value(KeyState::Unknown).rows, 5'000);
}

QTEST_GUILESS_MAIN(UnreadableTest)
#include "tst_unreadable.moc"
