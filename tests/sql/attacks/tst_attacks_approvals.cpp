// SPDX-License-Identifier: GPL-3.0-or-later
// Attacks on the second person: who is another person, what that person was shown, and which limit a table has.
#include "tests/support/console_fixture.h"

#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

const QString kRegistered = u"\"registered\": true"_s;

class AttacksApprovalsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ConsoleFixture> m_console;

    Connection &root() { return m_console->root(); }
    QString rows() { return root().value(u"SELECT count(*) FROM app.k"_s); }
    QString registered(const QString &name, const QString &table, const QString &settings)
    {
        QString compiled = ConsoleFixture::compiled();
        compiled.replace(u"\\\"k\\\""_s, u"\\\"%1\\\""_s.arg(table));
        return m_console->registerTarget(compiled, settings, ConsoleFixture::profile(), name);
    }
    QString approved(const QString &login, const QString &id)
    {
        const auto answer = m_console->as(login)->run(u"SELECT idemdesk.approve_action($1, true)"_s, { id });
        return answer.ok() ? QString() : answer.state;
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".?"_s));
        m_console = std::make_unique<ConsoleFixture>();
    }
    void init() { m_console->fresh(); }

    /// Who asks again for more than was agreed on is one who asks.
    void whoAsksAgainDoesNotApprove()
    {
        root().run(u"GRANT idemdesk_operator TO appr"_s);
        const auto back = qScopeGuard([this] { root().run(u"REVOKE idemdesk_operator FROM appr"_s); });
        QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 50}"_s).contains(kRegistered));
        QVERIFY(
            root()
                .run(
                    u"UPDATE app.k SET expires_at = now() + interval '1 day' WHERE status = 'succeeded' AND key > 'd0040'"_s)
                .ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 40).value(), u"running"_s);
        QVERIFY(
            root()
                .run(
                    u"UPDATE app.k SET expires_at = now() - interval '90 days' WHERE status = 'succeeded' AND key > 'd0040'"_s)
                .ok());
        QVERIFY(op->run(u"SELECT idemdesk.purge_batch($1, 1, 10000)"_s, { id }).ok());
        const QString left = rows();
        const auto both = m_console->as(u"appr"_s);
        QCOMPARE(
            both->value(u"SELECT b ->> 'state' FROM idemdesk.set_action($1, 'running') b"_s, { id }), u"requested"_s);
        QCOMPARE(approved(u"appr"_s, id), u"ID008"_s);
        QCOMPARE(op->state(u"SELECT idemdesk.purge_batch($1, 2, 10000)"_s, { id }), u"ID005"_s);
        QCOMPARE(rows(), left);
    }

    /// Who wrote the profile or the limit last does not approve what another asks for on it.
    void authorsDoNotApprove_data()
    {
        QTest::addColumn<QStringList>("authors"); ///< who registers, one after the other
        QTest::addColumn<QString>("limits"); ///< with which limit each
        QTest::newRow("of the profile") << QStringList { u"adm"_s, u"appr"_s } << u"50 50"_s;
        QTest::newRow("of the limit") << QStringList { u"appr"_s, u"adm"_s } << u"50 50"_s;
        QTest::newRow("of a stricter limit") << QStringList { u"adm"_s, u"appr"_s, u"adm"_s } << u"50 40 40"_s;
        QTest::newRow("of a looser limit, which another approved")
            << QStringList { u"adm"_s, u"appr"_s, u"adm"_s } << u"50 60 60"_s;
    }
    void authorsDoNotApprove()
    {
        QFETCH(QStringList, authors);
        QFETCH(QString, limits);
        root().run(u"GRANT idemdesk_admin TO appr; GRANT idemdesk_approver TO op2"_s);
        const auto back = qScopeGuard(
            [this] { root().run(u"REVOKE idemdesk_admin FROM appr; REVOKE idemdesk_approver FROM op2"_s); });
        for (qsizetype i = 0; i < authors.size(); ++i) {
            const auto stored
                = m_console->as(authors.at(i))
                      ->run(
                          u"SELECT idemdesk.register_target('k', '{\"x\":1}', $1::jsonb, ARRAY['app'], $2::jsonb, true)"_s,
                          { ConsoleFixture::compiled(),
                              u"{\"approval_above\": %1}"_s.arg(limits.section(u' ', i, i)) });
            QVERIFY2(stored.value().contains(kRegistered), qPrintable(stored.value()));
            const QString looser = root().value(
                u"SELECT coalesce(max(id::text), '') FROM idemdesk.action WHERE verb = 'limit' AND state = 'requested'"_s);
            if (!looser.isEmpty()) {
                QCOMPARE(approved(u"op2"_s, looser), QString());
            }
        }
        QCOMPARE(root().value(u"SELECT idemdesk.limit_of('app.k'::regclass)"_s), limits.section(u' ', -1));
        // One of the two alone is the approver's, so neither half of the rule stands in for the other.
        const QString both = root().value(u"SELECT concat_ws(' ', t.registered_by, l.set_by) FROM idemdesk.target t "
                                          "JOIN idemdesk.target_limit l USING (relation) WHERE t.name = 'k'"_s);
        QCOMPARE(both, authors.constLast() == u"appr"_s ? u"appr adm"_s : u"adm appr"_s);
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"requested"_s);
        const auto refused = m_console->as(u"appr"_s)->run(u"SELECT idemdesk.approve_action($1, true)"_s, { id });
        QCOMPARE(refused.state, u"ID008"_s);
        QVERIFY2(
            refused.message.contains(u"appr wrote the profile of \"k\" or its limits"_s), qPrintable(refused.message));
        QCOMPARE(root().value(u"SELECT state FROM idemdesk.action WHERE id = $1"_s, { id }), u"requested"_s);
        QCOMPARE(approved(u"op2"_s, id), QString()); // who wrote neither does
    }

    /// Another person reads the time that the server understood, however it was typed.
    void theCutoffIsReadAsItIsUsed()
    {
        QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 50}"_s).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600, true, u"  Jan 2 2020 00:00 America/New_York "_s).value(),
            u"requested"_s);
        QCOMPARE(m_console->as(u"appr"_s)->value(
                     u"SELECT (plan ->> 'cutoff') || ' ' || (plan ->> 'expected') FROM idemdesk.action"_s),
            u"2020-01-02T05:00:00.000000Z 600"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// A decision that is neither yes nor no is none.
    void nullIsNoApproval()
    {
        QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 50}"_s).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"requested"_s);
        QCOMPARE(
            m_console->as(u"appr"_s)->state(u"SELECT idemdesk.approve_action($1, NULL, 'certainly not')"_s, { id }),
            u"ID005"_s);
        QCOMPARE(root().value(u"SELECT state FROM idemdesk.action"_s), u"requested"_s);
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// The class of it: NULL for any argument of any function changes no row, gives no approval, and loosens nothing.
    void nullArgumentsChangeNothing()
    {
        QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 50}"_s).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"requested"_s);
        const auto facts = [this] {
            return root().value(
                u"SELECT concat_ws(' ', (SELECT count(*) FROM app.k), (SELECT approval_above FROM idemdesk.target "
                u"WHERE name = 'k'), "
                "(SELECT approval_above FROM idemdesk.target_limit WHERE relation = 'app.k'::regclass), "
                "(SELECT count(*) FROM idemdesk.audit WHERE what = 'approve'), (SELECT count(*) FROM idemdesk.shared_login))"_s);
        };
        QVERIFY(m_console->as(u"adm"_s)->run(u"SELECT idemdesk.set_shared_login('op2', true)"_s).ok());
        const QString before = facts();
        const auto functions = root().run(
            u"SELECT p.proname, pg_catalog.pg_get_function_arguments(p.oid), p.pronargs FROM pg_proc p "
            "WHERE p.pronamespace = 'idemdesk'::regnamespace AND p.prosecdef AND NOT starts_with(p.proname, '_') AND p.pronargs > 0 ORDER BY 1"_s);
        QVERIFY(functions.rows.size() > 15);
        for (const QString &login : { u"op"_s, u"appr"_s, u"adm"_s }) {
            for (const QStringList &function : functions.rows) {
                const int count = function.at(2).toInt();
                for (int null = 0; null < count; ++null) {
                    QStringList arguments(count, u"NULL"_s);
                    for (int i = 0; i < count; ++i) {
                        const QString type = function.at(1).split(u", "_s).at(i);
                        arguments[i] = i == null                                          ? u"NULL"_s
                            : type.contains(u" uuid"_s)                                   ? u"'%1'"_s.arg(id)
                            : type.contains(u" boolean"_s)                                ? u"false"_s
                            : type.contains(u" integer"_s) || type.contains(u" bigint"_s) ? u"1"_s
                            : type.contains(u"jsonb"_s)                                   ? u"'{}'"_s
                            : type.contains(u"[]"_s)                                      ? u"'{}'"_s
                            : type.contains(u"timestamp"_s)                               ? u"'2020-01-01'"_s
                                                                                          : u"'k'"_s;
                    }
                    const auto who = m_console->as(login);
                    who->run(u"SELECT idemdesk.%1(%2)"_s.arg(function.first(), arguments.join(u", "_s)));
                    QVERIFY2(facts() == before,
                        qPrintable(login + u": "_s + function.first() + u'(' + arguments.join(u", "_s) + u"): "_s
                            + facts() + u" for "_s + before));
                    if (root().value(u"SELECT state FROM idemdesk.action WHERE id = $1"_s, { id })
                        != u"requested") { // declined, or cancelled
                        id = ConsoleFixture::newId();
                        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"requested"_s);
                    }
                }
            }
        }
        QCOMPARE(ConsoleFixture::verified(*op), u"t"_s);
    }

    /// A part of a limited table, and a table of which the limited one is a part, have its limit.
    void limitHoldsForPartsAndWholes_data()
    {
        QTest::addColumn<QString>("limited");
        QTest::addColumn<QString>("other");
        QTest::newRow("a part") << u"whole"_s << u"part"_s;
        QTest::newRow("the whole") << u"part"_s << u"whole"_s;
    }
    void limitHoldsForPartsAndWholes()
    {
        QFETCH(QString, limited);
        QFETCH(QString, other);
        m_console->cluster().psql(m_console->database(),
            u"SET ROLE app_owner; CREATE TABLE app.whole (LIKE app.k INCLUDING ALL); CREATE TABLE app.part (LIKE app.k "
            u"INCLUDING ALL) INHERITS (app.whole);"
            "INSERT INTO app.part SELECT * FROM app.k; GRANT SELECT, UPDATE, DELETE, INSERT ON app.whole, app.part TO idemdesk_runner_app_owner;"_s);
        QVERIFY(registered(limited, limited, u"{\"approval_above\": 5}"_s).contains(kRegistered));
        QVERIFY(registered(other, other, u"{}"_s).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(
            op->value(u"SELECT idemdesk.limit_of(relation) FROM idemdesk.target WHERE name = $1"_s, { other }), u"5"_s);
        const QString id = ConsoleFixture::newId();
        const auto opened = op->run(u"SELECT idemdesk.open_action($1, $2, 'purge', 'because', NULL, $3, $4, '[]')"_s,
            { id, other,
                u"{\"cutoff\":\"now\",\"states\":[\"succeeded\"],\"scopes\":null,\"images\":true,\"expected\":0}"_s,
                ConsoleFixture::profileSha() });
        QVERIFY2(opened.ok(), qPrintable(opened.value()));
        QCOMPARE(root().value(u"SELECT state FROM idemdesk.action WHERE id = $1"_s, { id }), u"requested"_s);
    }

    /// The strictest limit of a table holds under each of its names.
    void limitHoldsForEveryName()
    {
        QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 500}"_s).contains(kRegistered));
        QVERIFY(registered(u"k2"_s, u"k"_s, u"{\"approval_above\": 10}"_s).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"status = 'processing'"_s)).value(),
            u"requested"_s);
    }

    /// A limit that became stricter after an action was opened under another name holds for its next batch.
    void limitAgreedOnMeanwhile()
    {
        QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 1000}"_s).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"running"_s);
        QVERIFY(registered(u"k2"_s, u"k"_s, u"{\"approval_above\": 10}"_s).contains(kRegistered));
        op->run(u"SELECT idemdesk.purge_batch($1, 1, 10000)"_s, { id });
        QVERIFY2(rows().toInt() >= 640, qPrintable(rows()));
    }

    /// A looser limit that was asked for before another one was agreed on is not approved any more, however it came
    /// about.
    void staleLimitIsNotApproved_data()
    {
        QTest::addColumn<bool>("back");
        QTest::newRow("a stricter one under another name") << false;
        QTest::newRow("a stricter one, and back to the one that was shown") << true;
    }
    void staleLimitIsNotApproved()
    {
        QFETCH(bool, back);
        const QString request = u"SELECT id FROM idemdesk.action WHERE verb = 'limit' ORDER BY requested_at DESC "
                                "LIMIT 1"_s;
        QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 50}"_s).contains(kRegistered));
        QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 100000}"_s).contains(kRegistered));
        const QString stale = root().value(request);
        QVERIFY(registered(back ? u"k"_s : u"k2"_s, u"k"_s, u"{\"approval_above\": 10}"_s).contains(kRegistered));
        if (back) {
            QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 50}"_s).contains(kRegistered));
            QCOMPARE(approved(u"appr"_s, root().value(request)), QString());
        }
        const QString limit = u"SELECT idemdesk.limit_of('app.k'::regclass)"_s;
        QCOMPARE(root().value(limit), back ? u"50"_s : u"10"_s);
        QVERIFY(!approved(u"appr"_s, stale).isEmpty());
        QCOMPARE(root().value(limit), back ? u"50"_s : u"10"_s);
        QCOMPARE(ConsoleFixture::verified(*m_console->as(u"op"_s)), u"t"_s);
    }

    /// Who may hand out a group that approves could make a second person.
    void whoMayMakeAnApproverDoesNotAct()
    {
        root().run(u"CREATE ROLE lead; GRANT idemdesk_approver TO lead; GRANT lead TO op WITH ADMIN OPTION"_s);
        const auto back = qScopeGuard(
            [this] { root().run(u"REVOKE lead FROM op; REVOKE idemdesk_approver FROM lead; DROP ROLE lead"_s); });
        const auto op = m_console->as(u"op"_s);
        const auto opened = m_console->openPurge(*op, ConsoleFixture::newId(), 600);
        QCOMPARE(opened.state, u"ID003"_s);
        QVERIFY2(opened.message.contains(u"lead"_s), qPrintable(opened.message));
    }

    /// Scopes are a list, or there are none: what the approver reads is what goes.
    void scopesAreAList()
    {
        const auto op = m_console->as(u"op"_s);
        for (const QString &scopes : { u"\"t0 only\""_s, u"{\"t0\": 1}"_s, u"7"_s, u"true"_s }) {
            QCOMPARE(m_console->openPurge(*op, ConsoleFixture::newId(), 600, true, u"now"_s, scopes).state, u"ID005"_s);
        }
        QCOMPARE(root().value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
    }

    /// As many rows go as the approver was shown.
    void approvalIsForTheRowsShown()
    {
        QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 50}"_s).contains(kRegistered));
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 60).value(), u"requested"_s);
        const int shown = root().value(u"SELECT planned_rows FROM idemdesk.action"_s).toInt();
        QCOMPARE(approved(u"appr"_s, id), QString());
        op->run(u"SELECT idemdesk.purge_batch($1, 1, 10000)"_s, { id });
        QCOMPARE(rows().toInt(), 650 - shown);
    }

    /// A login that several people share does not become another person by leaving the list.
    /// An approver answers for rows, so it may see which; but no more of the table than it may read itself.
    void approverSeesTheRows()
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QVERIFY(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key IN ('k001', 'k002')"_s)).ok());
        const auto seen = [&](const QString &login) {
            return m_console->as(login)->value(
                u"SELECT count(*) || ' ' || coalesce(string_agg(identity[2], ' ' ORDER BY ordinal), '') FROM "
                "idemdesk.rows_asked($1)"_s,
                { id });
        };
        QCOMPARE(seen(u"op2"_s), u"2 k001 k002"_s);
        QCOMPARE(seen(u"appr"_s), u"2 "_s);
        QVERIFY(root().run(u"GRANT USAGE ON SCHEMA app TO appr; GRANT SELECT (key) ON app.k TO appr"_s).ok());
        QCOMPARE(seen(u"appr"_s), u"2 "_s); // the tenant is part of the identity
        QVERIFY(root().run(u"GRANT SELECT (tenant) ON app.k TO appr"_s).ok());
        QCOMPARE(seen(u"appr"_s), u"2 k001 k002"_s);
        QCOMPARE(m_console->as(u"service"_s)->state(u"SELECT * FROM idemdesk.rows_asked($1)"_s, { id }), u"42501"_s);
        // Registered anew with another identity, the values of then would pass for columns that may be read.
        QString other = ConsoleFixture::compiled();
        other.replace(
            u"{\"name\":\"tenant\",\"type\":\"pg_catalog.text\",\"eq\":\"OPERATOR(pg_catalog.=)\"},"_s, QString());
        QVERIFY(root().run(u"REVOKE SELECT (tenant) ON app.k FROM appr; CREATE UNIQUE INDEX ON app.k (key)"_s).ok());
        const QString answer = m_console->registerTarget(other);
        QVERIFY2(answer.contains(kRegistered), qPrintable(answer));
        QCOMPARE(seen(u"appr"_s), u"2 "_s);
    }

    /// What evidence says is no column of the table; and a column that was renamed is not the one that was meant.
    void rowsAskedGiveNoMoreThanTheReadersRights()
    {
        QVERIFY(
            root()
                .run(u"INSERT INTO app.eff SELECT 'pay-1', tenant, key FROM app.k WHERE key = 'k001'; GRANT USAGE ON "
                     "SCHEMA app TO appr; GRANT SELECT (tenant, key, pad) ON app.k TO appr"_s)
                .ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QVERIFY(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key = 'k001'"_s, 1, u"pay-1"_s)).ok());
        const auto seen = [&](const QString &login) {
            return m_console->as(login)->value(
                u"SELECT concat_ws(' ', identity[2], effect_id) FROM idemdesk.rows_asked($1)"_s, { id });
        };
        QCOMPARE(seen(u"op"_s), u"k001 pay-1"_s);
        QCOMPARE(seen(u"appr"_s), u"k001"_s);
        QVERIFY(
            root()
                .run(u"REVOKE SELECT (key) ON app.k FROM appr; ALTER TABLE app.k RENAME key TO was; ALTER TABLE app.k "
                     "RENAME pad TO key"_s)
                .ok());
        QCOMPARE(seen(u"appr"_s), QString());
    }

    /// An undo names the rows that go back.
    void approverSeesWhatGoesBack()
    {
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QVERIFY(m_console->open(*op, id, u"recover"_s, m_console->frozen(u"key IN ('k001', 'k002')"_s)).ok());
        QVERIFY(op->run(u"SELECT idemdesk.change_batch('%1', 1, 500)"_s.arg(id)).ok());
        const QString undo = ConsoleFixture::newId();
        const auto asked = op->run(u"SELECT idemdesk.open_undo('%1', '%2', 'back', NULL)"_s.arg(undo, id));
        QVERIFY2(asked.ok(), qPrintable(asked.message));
        QCOMPARE(
            m_console->as(u"op2"_s)->value(
                u"SELECT string_agg(ordinal || identity[2] || coalesce(rule::text, '-'), ' ' ORDER BY ordinal) FROM "
                "idemdesk.rows_asked($1)"_s,
                { undo }),
            u"1k001- 2k002-"_s);
        QCOMPARE(
            m_console->as(u"viewer"_s)
                ->value(u"SELECT string_agg(coalesce(identity[2], '?'), ' ') FROM idemdesk.rows_asked($1)"_s, { undo }),
            u"? ?"_s);
    }

    void sharedLoginThatLeftTheList()
    {
        QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 50}"_s).contains(kRegistered));
        const auto adm = m_console->as(u"adm"_s);
        QVERIFY(adm->run(u"SELECT idemdesk.set_shared_login('appr', true)"_s).ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"requested"_s);
        QCOMPARE(approved(u"appr"_s, id), u"ID008"_s);
        QVERIFY(adm->run(u"SELECT idemdesk.set_shared_login('appr', false)"_s).ok());
        QCOMPARE(approved(u"appr"_s, id), u"ID008"_s);
    }

    /// Nor does whoever takes a login off the list become the other person for it.
    void whoEndsTheSharingDoesNotApprove()
    {
        QVERIFY(registered(u"k"_s, u"k"_s, u"{\"approval_above\": 50}"_s).contains(kRegistered));
        root().run(u"CREATE ROLE twice LOGIN; GRANT idemdesk_admin, idemdesk_approver TO twice"_s);
        QVERIFY(m_console->as(u"adm"_s)->run(u"SELECT idemdesk.set_shared_login('op', true)"_s).ok());
        QVERIFY(m_console->as(u"twice"_s)->run(u"SELECT idemdesk.set_shared_login('op', false)"_s).ok());
        const auto op = m_console->as(u"op"_s);
        const QString id = ConsoleFixture::newId();
        QCOMPARE(m_console->openPurge(*op, id, 600).value(), u"requested"_s);
        QCOMPARE(approved(u"twice"_s, id), u"ID008"_s);
        QCOMPARE(approved(u"appr"_s, id), QString());
    }

    /// A plan made on a profile that nobody names is not checked against the one that is registered.
    void planWithoutItsProfile()
    {
        const auto op = m_console->as(u"op"_s);
        QCOMPARE(
            op->state(u"SELECT idemdesk.open_action($1, 'k', 'purge', 'because', NULL, $2, NULL, '[]')"_s,
                { ConsoleFixture::newId(),
                    u"{\"cutoff\":\"now\",\"states\":[\"succeeded\"],\"scopes\":null,\"images\":true,\"expected\":1}"_s }),
            u"ID006"_s);
    }
};

} // namespace

QTEST_GUILESS_MAIN(AttacksApprovalsTest)
#include "tst_attacks_approvals.moc"
