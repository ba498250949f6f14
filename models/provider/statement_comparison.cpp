// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/statement_comparison.h"

#include "models/format/quantities.h"
#include "models/provider/exact_amount.h"
#include "models/provider/statement_words.h"
#include "models/triage/frozen_set.h"
#include "sql/actions/action_json.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/unseen.h"
#include "sql/provider/stale_reader.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kReferencesAtOnce = 500;
constexpr int kRowsAtOnce = 5'000;
constexpr qsizetype kHeldRows = 5'000;
constexpr qsizetype kHeldUnfinished = 200;
constexpr int kLinesOfOne = 20; // named of a reference that stands there more often

QString amountText(const QString &amount, const QString &currency)
{
    return currency.isEmpty() ? amount : amount + u' ' + currency;
}

/// Rows that wait until enough of them are unfinished to ask whether these are stuck. It is asked of them alone: of
/// millions of rows nearly all have ended.
class HeldRows
{
public:
    HeldRows(sql::Session &session, const sql::ProviderTarget &target)
        : m_session(session)
        , m_target(target)
    {
    }

    /// A row that lines name.
    void named(const sql::HereRow &row)
    {
        m_unfinished += mayBeStale(row) ? 1 : 0;
        m_named.append(row);
    }
    /// A row that no line names.
    void missing(const StatementFinding &finding)
    {
        m_unfinished += mayBeStale(*finding.here) ? 1 : 0;
        m_missing.append(finding);
    }
    bool enough() const { return m_unfinished >= kHeldUnfinished || m_named.size() + m_missing.size() >= kHeldRows; }

    /// Hands all on, in their order, and holds none.
    sql::Result<void> settle(const sql::Timestamp &now,
        const std::function<sql::Result<void>(const sql::HereRow &)> &onNamed,
        const std::function<sql::Result<void>(const StatementFinding &)> &onMissing)
    {
        TRY(tellStale(now));
        for (const sql::HereRow &row : std::as_const(m_named)) {
            TRY(onNamed(row));
        }
        for (const StatementFinding &finding : std::as_const(m_missing)) {
            TRY(onMissing(finding));
        }
        m_named.clear();
        m_missing.clear();
        m_unfinished = 0;
        return {};
    }

private:
    bool mayBeStale(const sql::HereRow &row) const { return sql::mayBeStale(m_target.whole().profile, row.state); }

    sql::Result<void> tellStale(const sql::Timestamp &now)
    {
        QList<sql::HereRow *> asked;
        for (sql::HereRow &row : m_named) {
            asked += mayBeStale(row) ? QList { &row } : QList<sql::HereRow *>();
        }
        for (StatementFinding &finding : m_missing) {
            asked += mayBeStale(*finding.here) ? QList { &*finding.here } : QList<sql::HereRow *>();
        }
        QList<sql::Cells> identities;
        for (const sql::HereRow *row : std::as_const(asked)) {
            identities.append(sql::cellsFromJson(row->identity));
        }
        TRY(const auto stale, sql::readStale(m_session, m_target, identities, now));
        for (sql::HereRow *row : std::as_const(asked)) {
            const auto told = stale.constFind(row->identity);
            row->stale = told == stale.cend() ? std::nullopt : std::optional(*told);
        }
        return {};
    }

    sql::Session &m_session;
    const sql::ProviderTarget &m_target;
    QList<sql::HereRow> m_named;
    QList<StatementFinding> m_missing;
    qsizetype m_unfinished = 0;
};

class StatementComparer
{
public:
    StatementComparer(sql::Session &session, const sql::ProviderTarget &target, const StatementFacts &facts,
        sql::StatementStore *store, const CompareStatementOptions &options,
        const std::function<sql::Result<void>(const StatementFinding &)> &onFinding)
        : m_session(session)
        , m_target(target)
        , m_facts(facts)
        , m_store(store)
        , m_options(options)
        , m_onFinding(onFinding)
        , m_held(session, target)
    {
    }

    sql::Result<StatementComparison> run()
    {
        m_answer.notes = m_target.notRead() + sql::unseenNotes(m_target.target());
        m_answer.complete = m_answer.notes.isEmpty();
        TRY(findSpan());
        const bool byIndex = m_target.referenceServed();
        if (byIndex) {
            TRY(lookUp());
        } else {
            m_answer.notes += Tr::tr("No index leads with the reference, so the whole table was read.");
            begin(StatementProgress::Phase::WholeTable, 0);
            TRY(readAll({}, u"identity"_s, [this](const sql::ProviderRow &row) -> sql::Result<void> {
                advance(1);
                TRY(const auto named, m_store->named(row.reference.null ? QString() : row.reference.text));
                return named == sql::StatementStore::Named::Yes ? keep(row) : sql::Result<void>();
            }));
        }
        if (m_answer.span.known()) {
            m_countUnreadable = byIndex; // else they are counted already
            TRY(walkSpan(byIndex ? m_target.timeOrder() : sql::OrderLabel(u"identity"_s)));
        }
        TRY(settle());
        TRY(m_store->finishHere());
        TRY(judgePairs());
        addNotes();
        return m_answer;
    }

private:
    sql::Result<void> stillWanted() const
    {
        return m_options.stop.stop_requested() ? sql::Result<void>(
                   sql::makeError(sql::ErrorKind::Cancelled, Tr::tr("Comparing the statement was cancelled.")))
                                               : sql::Result<void>();
    }

    void begin(StatementProgress::Phase phase, qint64 whole)
    {
        if (m_options.progress != nullptr) {
            m_options.progress->begin(phase, whole);
        }
    }
    void advance(qint64 by)
    {
        if (m_options.progress != nullptr) {
            m_options.progress->done += by;
        }
    }

    /// Nothing may be said to be missing from a statement beyond what it covers, or of which not all was read.
    sql::Result<void> findSpan()
    {
        StatementSpan &span = m_answer.span;
        TRY(const auto covered, m_store->coverage());
        span.from = m_options.since ? m_options.since : covered.from;
        span.to = m_options.until ? m_options.until : covered.to;
        if (span.to && !m_options.until) {
            span.to->micros -= m_options.marginSeconds * sql::kMicros;
        }
        if (m_options.until && covered.to && *covered.to < *m_options.until) {
            span.to = covered.to; // a file that was cut off looks like one that covers a quiet time
            span.to->micros -= m_options.marginSeconds * sql::kMicros;
            m_answer.notes += Tr::tr("Its last line is of %1, so nothing later is said to be missing from it.")
                                  .arg(covered.to->toRfc3339());
        }
        if (m_options.since && covered.from && *m_options.since < *covered.from) {
            m_answer.notes += Tr::tr("Its first line is of %1. That it covers all from %2 on is your word.")
                                  .arg(covered.from->toRfc3339(), m_options.since->toRfc3339());
        }
        if (m_facts.refused > 0) {
            span.whyNot = Tr::tr("Some lines could not be read, so nothing is said to be missing from the statement.");
        } else if (m_facts.sharedIds > 0) {
            span.whyNot = Tr::tr("What is read as a booking's number is none, so nothing is said to be missing.");
        } else if (covered.lines == 0) {
            span.whyNot = Tr::tr("The statement has no line, so nothing is said to be missing from it.");
        } else if (covered.told == 0) {
            span.whyNot
                = Tr::tr("No line names a request and says what became of it, so nothing is said to be missing.");
        } else if (!span.from || !span.to) {
            span.whyNot = Tr::tr("The statement does not tell its time, so nothing is said to be missing from it. "
                                 "Say which column is the time, or what time it covers.");
        } else if (*span.to < *span.from) {
            span.whyNot = Tr::tr("The statement covers too short a time to say that something is missing from it.");
        }
        if (!span.whyNot.isEmpty()) {
            forgetSpan();
        }
        return {};
    }

    void forgetSpan()
    {
        m_answer.span.from.reset();
        m_answer.span.to.reset();
    }

    /// A row that lines name.
    sql::Result<void> keep(const sql::ProviderRow &row)
    {
        m_namedInSpan = m_namedInSpan || inSpan(row);
        m_held.named(hereRow(row));
        return {};
    }

    sql::Result<void> settle()
    {
        return m_held.settle(
            m_now, [this](const sql::HereRow &row) { return m_store->addHere(row); },
            [this](const StatementFinding &finding) { return hand(finding); });
    }

    sql::Result<void> lookUp()
    {
        begin(StatementProgress::Phase::LookingUp, m_facts.lines);
        QString after;
        for (;;) {
            TRY(stillWanted());
            TRY(const auto references, m_store->references(after, kReferencesAtOnce));
            if (references.isEmpty()) {
                return {};
            }
            after = references.constLast();
            advance(references.size());
            QStringList possible = references;
            possible.removeIf([this](const QString &reference) { return !m_target.mayBeReference(reference); });
            if (!possible.isEmpty()) {
                TRY(readAll(m_target.withReferences(possible), u"identity"_s,
                    [this](const sql::ProviderRow &row) { return keep(row); }));
            }
        }
    }

    /// What no line names of the time that the statement covers. Where none of its references is a row's of that time,
    /// another column was read or another table, and then all would be missing.
    sql::Result<void> walkSpan(const QString &order)
    {
        begin(StatementProgress::Phase::Missing, 0);
        TRY(readAll(
            m_target.askedBetween(*m_answer.span.from, *m_answer.span.to), order, [this](const sql::ProviderRow &row) {
                advance(1);
                return lookAt(row);
            }));
        if (!m_namedInSpan) {
            m_answer.span.whyNot = Tr::tr("No reference of the statement has a row here of that time, so nothing is "
                                          "said to be missing. Is it the right column and table?");
            forgetSpan();
        }
        return {};
    }

    sql::Result<void> lookAt(const sql::ProviderRow &row)
    {
        if (!inSpan(row)) {
            return {};
        }
        const bool open = row.state != sql::ProviderState::Failed;
        if (row.reference.null || row.reference.text.trimmed().isEmpty()) {
            m_answer.counts.withoutReference += open ? 1 : 0;
            return {};
        }
        using Named = sql::StatementStore::Named;
        TRY(const Named named, m_store->named(row.reference.text));
        if (named == Named::Nearly) {
            TRY(m_store->addNear(row.reference.text));
        }
        m_answer.counts.nearly += open && named == Named::Nearly ? 1 : 0;
        m_answer.counts.leftAside += open && named == Named::LeftAside ? 1 : 0;
        return open && named == Named::No && m_namedInSpan ? missing(row) : sql::Result<void>();
    }

    sql::Result<void> readAll(const QList<sql::FilterTerm> &terms, const QString &order,
        const std::function<sql::Result<void>(const sql::ProviderRow &)> &onRow)
    {
        sql::PageRequest request;
        request.filter.terms = terms;
        request.order = order;
        request.limit = kRowsAtOnce;
        for (bool more = true; more;) {
            TRY(stillWanted());
            TRY(const auto page, sql::readPage(m_session, m_target.target(), request));
            m_now = page.now;
            for (const sql::KeyRecord &record : page.rows) {
                const sql::ProviderRow row = m_target.row(record);
                if (row.reference.failed() || row.amount.failed() || row.currency.failed()) {
                    m_answer.counts.unreadable += m_countUnreadable ? 1 : 0;
                    continue;
                }
                TRY(onRow(row));
                TRY(m_held.enough() ? settle() : sql::Result<void>());
            }
            more = page.more && !page.rows.isEmpty();
            if (more) {
                request.from = { page.rows.constLast().orderValue, page.rows.constLast().identity };
                request.now = page.now;
            }
        }
        return {};
    }

    bool inSpan(const sql::ProviderRow &row) const
    {
        return m_answer.span.known() && row.at && *row.at >= *m_answer.span.from && *row.at <= *m_answer.span.to;
    }

    sql::HereRow hereRow(const sql::ProviderRow &row) const
    {
        return { row.reference.text, sql::cellsToJson(row.record.identity), scopeText(row.record.scope),
            row.record.key.text, row.amount.null ? QString() : row.amount.text,
            row.currency.null ? QString() : row.currency.text.trimmed().toUpper(), row.record.state, row.state };
    }

    sql::Result<void> judgePairs()
    {
        std::optional<sql::Error> failure;
        TRY(m_store->pairs([&](const sql::ReferencePair &pair) {
            auto done = stillWanted();
            done = done ? judge(pair) : done;
            if (!done) {
                failure = done.error();
            }
            return done.ok();
        }));
        return failure ? sql::Result<void>(*failure) : sql::Result<void>();
    }

    sql::Result<void> judge(const sql::ReferencePair &pair)
    {
        if (pair.happened > 1) {
            TRY(twice(pair));
        }
        if (pair.rows > 1) {
            return give(pair, StatementFindingKind::SeveralHere,
                Tr::tr("%1 rows here have this reference.").arg(countText(pair.rows)));
        }
        if (pair.rows == 0) {
            TRY(const bool near, m_store->isNear(pair.reference));
            if (near) {
                return {}; // the row is counted, and a note says why nothing is said of it
            }
            return give(pair, StatementFindingKind::OnlyProvider,
                pair.happened > 0 ? Tr::tr("No row here has this reference.")
                                  : Tr::tr("It failed there, and no row here has this reference."));
        }
        if (pair.contradictory && pair.happened < 2) {
            const bool takenBack
                = pair.happened == 1 && pair.failed == 0 && pair.here.state == sql::KeyState::Succeeded;
            if (!takenBack) {
                return contradictory(pair);
            }
            ++m_answer.counts.takenBack; // what was charged and refunded later was charged all the same
        }
        if (pair.happened == 1) {
            return compareValues(pair);
        }
        if (pair.happened == 0) {
            return judgeFailure(pair);
        }
        return {};
    }

    sql::Result<void> twice(const sql::ReferencePair &pair)
    {
        StatementFinding finding = findingOf(pair, StatementFindingKind::Twice);
        TRY(tellLines(pair, false, &finding));
        QStringList numbers;
        for (const qint64 line : std::as_const(finding.lines)) {
            numbers += QString::number(line);
        }
        if (pair.happened > finding.lines.size()) {
            numbers += u"…"_s;
        }
        finding.detail = Tr::tr("%1 lines say that it happened: %2.", "2, lines 8, 9")
                             .arg(countText(pair.happened), numbers.join(u", "_s));
        return hand(finding);
    }

    /// The lines of the file that speak of it, with their texts.
    sql::Result<void> tellLines(const sql::ReferencePair &pair, bool all, StatementFinding *finding)
    {
        TRY(const auto lines, m_store->linesOf(pair.reference, all, kLinesOfOne));
        finding->lines.clear();
        QStringList texts;
        for (const sql::StatementLine &line : lines) {
            finding->lines += line.number;
            texts += QString::number(line.number) + u"  "_s + line.text;
        }
        if (!lines.isEmpty()) {
            finding->text = lines.constFirst().text; // beside its number
        }
        finding->allLines = texts.join(u'\n').left(sql::kMostProviderText);
        return {};
    }

    sql::Result<void> contradictory(const sql::ReferencePair &pair)
    {
        StatementFinding finding = findingOf(pair, StatementFindingKind::Contradictory);
        TRY(tellLines(pair, true, &finding));
        finding.detail = pair.happened > 0
            ? Tr::tr("One line says that it happened, and another takes it back or says something else.")
            : Tr::tr("One line says that it failed, and another says something else.");
        return hand(finding);
    }

    sql::Result<void> compareValues(const sql::ReferencePair &pair)
    {
        const sql::StatementLine &line = pair.line;
        const sql::HereRow &here = pair.here;
        if (!line.currency.isEmpty() && !here.currency.isEmpty() && line.currency != here.currency) {
            return give(pair, StatementFindingKind::CurrencyDiffers,
                Tr::tr("%1 in the statement, %2 here.")
                    .arg(amountText(line.amount, line.currency), amountText(here.amount, here.currency)));
        }
        const auto amount = exactAmount(here.amount);
        const bool uncompared = line.amount.isEmpty() || !amount || line.currency.isEmpty() != here.currency.isEmpty();
        m_answer.counts.notCompared += uncompared ? 1 : 0;
        if (!line.amount.isEmpty() && amount && *amount != line.amount) {
            return give(pair, StatementFindingKind::AmountDiffers,
                Tr::tr("%1 in the statement, %2 here.")
                    .arg(amountText(line.amount, line.currency), amountText(*amount, here.currency)));
        }
        if (here.state == sql::KeyState::Succeeded) {
            ++m_answer.counts.matched;
            return {};
        }
        return give(pair, StatementFindingKind::Happened,
            Tr::tr("The statement says that it happened; the key is %1 here.").arg(hereStateText(here))
                + (uncompared ? u' ' + Tr::tr("Amount or currency could not be compared.") : QString()));
    }

    sql::Result<void> judgeFailure(const sql::ReferencePair &pair)
    {
        const bool failedHere
            = pair.here.state == sql::KeyState::FailedFinal || pair.here.state == sql::KeyState::FailedRetryable;
        if (failedHere) {
            ++m_answer.counts.matched;
            return {};
        }
        return give(pair, StatementFindingKind::DidNotHappen,
            Tr::tr("The statement says that it failed; the key is %1 here.").arg(hereStateText(pair.here)));
    }

    sql::Result<void> missing(const sql::ProviderRow &row)
    {
        StatementFinding finding;
        finding.kind = StatementFindingKind::NotInStatement;
        finding.reference = row.reference.text;
        finding.here = hereRow(row);
        finding.askedAt = row.at;
        finding.coveredFrom = m_answer.span.from;
        finding.coveredTo = m_answer.span.to;
        finding.detail = Tr::tr("The statement covers its time and does not name it.");
        m_held.missing(finding);
        return {};
    }

    StatementFinding findingOf(const sql::ReferencePair &pair, StatementFindingKind kind) const
    {
        StatementFinding finding;
        finding.kind = kind;
        finding.reference = pair.reference;
        finding.lines = { pair.line.number };
        finding.text = pair.line.text;
        finding.statementAmount = pair.line.amount;
        finding.statementCurrency = pair.line.currency;
        // A failure counts as early as it may have been, for a later attempt is none of its; all else as late.
        finding.lineAt = kind == StatementFindingKind::DidNotHappen ? pair.line.at : pair.line.until;
        finding.here = pair.rows > 0 ? std::optional(pair.here) : std::nullopt;
        return finding;
    }

    sql::Result<void> give(const sql::ReferencePair &pair, StatementFindingKind kind, const QString &detail)
    {
        StatementFinding finding = findingOf(pair, kind);
        finding.detail = detail;
        return hand(finding);
    }

    sql::Result<void> hand(const StatementFinding &finding)
    {
        ++m_answer.counts.found.at(static_cast<std::size_t>(finding.kind));
        return m_onFinding(finding);
    }

    void addNotes()
    {
        const auto add = [this](bool needed, const QString &sentence) {
            if (needed) {
                m_answer.notes += sentence;
                m_answer.complete = false;
            }
        };
        const StatementCounts &counts = m_answer.counts;
        add(!m_answer.span.known(), m_answer.span.whyNot);
        add(m_facts.refused > 0,
            Tr::tr("%Ln line(s) of the statement could not be read and are not compared.", nullptr,
                int(std::min<qint64>(m_facts.refused, INT_MAX))));
        add(m_facts.sharedIds > 0,
            Tr::tr("%Ln number(s) of bookings stand with more than one reference, so a double charge may be missed.",
                nullptr, int(std::min<qint64>(m_facts.sharedIds, INT_MAX))));
        add(counts.leftAside > 0,
            Tr::tr("%Ln key(s) of that time stand only in lines that are left aside, so nothing is said of them.",
                nullptr, int(std::min<qint64>(counts.leftAside, INT_MAX))));
        add(counts.nearly > 0,
            Tr::tr(
                "%Ln key(s) of that time have a reference that a line has, but for capitals, blanks or signs. Nothing "
                "is said of them.",
                nullptr, int(std::min<qint64>(counts.nearly, INT_MAX))));
        add(counts.unreadable > 0,
            Tr::tr("%Ln row(s) could not be compared, because an expression of the profile fails on them.", nullptr,
                int(std::min<qint64>(counts.unreadable, INT_MAX))));
        if (counts.withoutReference > 0) {
            m_answer.notes += Tr::tr("%Ln row(s) of that time have no reference yet, so no statement can name them.",
                nullptr, int(std::min<qint64>(counts.withoutReference, INT_MAX)));
        }
        if (counts.takenBack > 0) {
            m_answer.notes += Tr::tr("%Ln key(s) succeeded and happened there. A later line takes that back, or may.",
                nullptr, int(std::min<qint64>(counts.takenBack, INT_MAX)));
        }
        if (counts.notCompared > 0) {
            m_answer.notes += m_facts.map.amount.isEmpty()
                ? Tr::tr("No column of amounts was chosen, so no amount was compared.")
                : Tr::tr("%Ln amount(s) or currency(ies) not compared: one side has none.", nullptr,
                    int(std::min<qint64>(counts.notCompared, INT_MAX)));
        }
    }

    sql::Session &m_session;
    const sql::ProviderTarget &m_target;
    const StatementFacts &m_facts;
    sql::StatementStore *m_store;
    const CompareStatementOptions &m_options;
    const std::function<sql::Result<void>(const StatementFinding &)> &m_onFinding;
    HeldRows m_held;
    sql::Timestamp m_now; ///< of the last page
    StatementComparison m_answer;
    bool m_namedInSpan = false; ///< lines name a row of the time that the statement covers
    bool m_countUnreadable = true;
};

} // namespace

QString findingKindName(StatementFindingKind kind)
{
    const auto word = wordOf(kind);
    return word ? sql::providerWordName(*word) : u"several_here"_s;
}

QString findingKindText(StatementFindingKind kind)
{
    switch (kind) {
    case StatementFindingKind::Twice:
        return Tr::tr("Twice with the provider");
    case StatementFindingKind::AmountDiffers:
        return Tr::tr("Amount differs");
    case StatementFindingKind::CurrencyDiffers:
        return Tr::tr("Currency differs");
    case StatementFindingKind::OnlyProvider:
        return Tr::tr("Only with the provider");
    case StatementFindingKind::Happened:
        return Tr::tr("Happened, not finished here");
    case StatementFindingKind::DidNotHappen:
        return Tr::tr("Failed there, not here");
    case StatementFindingKind::NotInStatement:
        return Tr::tr("Only here");
    case StatementFindingKind::Contradictory:
        return Tr::tr("Its lines contradict each other");
    case StatementFindingKind::SeveralHere:
        break;
    }
    return Tr::tr("Several rows here");
}

std::optional<sql::ProviderWord> wordOf(StatementFindingKind kind)
{
    switch (kind) {
    case StatementFindingKind::Twice:
        return sql::ProviderWord::Twice;
    case StatementFindingKind::AmountDiffers:
        return sql::ProviderWord::AmountDiffers;
    case StatementFindingKind::CurrencyDiffers:
        return sql::ProviderWord::CurrencyDiffers;
    case StatementFindingKind::OnlyProvider:
        return sql::ProviderWord::OnlyProvider;
    case StatementFindingKind::Happened:
        return sql::ProviderWord::Happened;
    case StatementFindingKind::DidNotHappen:
        return sql::ProviderWord::DidNotHappen;
    case StatementFindingKind::NotInStatement:
        return sql::ProviderWord::NotInStatement;
    case StatementFindingKind::Contradictory:
        return sql::ProviderWord::Contradictory;
    case StatementFindingKind::SeveralHere:
        break;
    }
    return std::nullopt;
}

sql::Result<StatementComparison> compareStatement(sql::Session &session, const sql::ProviderTarget &target,
    const StatementFacts &facts, sql::StatementStore *store, const CompareStatementOptions &options,
    const std::function<sql::Result<void>(const StatementFinding &)> &onFinding)
{
    return StatementComparer(session, target, facts, store, options, onFinding).run();
}

} // namespace idemdesk::models
