// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/conflicts/key_finder.h"

#include "sql/conflicts/hash_matches.h"
#include "sql/keys/unseen.h"
#include "sql/types/tr.h"

#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kMostHashChars = 512; ///< a longer text is no hash
constexpr qsizetype kMostDetailChars
    = 3'800; ///< kept before the sentence on how the key was found: detail is cut at 4,000
constexpr int kSearchMs = 600'000; ///< one pass over a large table; it can be cancelled

/// What a hash of the log led to.
struct Answer {
    const Target *target = nullptr;
    HashMatch match;
    bool several = false; ///< intents that it may mean
    bool searched = true; ///< in every table that can hold it
};

/// One way to find a key.
struct Search {
    QString (*asked)(const ConflictRecord &); ///< what is looked up; empty: nothing is
    bool (*applies)(const Target &);
    Result<HashMatches> (*run)(Session &, const Target &, const QList<WantedHash> &);
    QString found; ///< what a record says then
    QString several;
    QString partly; ///< one was found, and not every table that can hold it was searched
};

QString keyHashOf(const ConflictRecord &record)
{
    return record.key ? QString() : record.keyHash;
}
QString storedHashOf(const ConflictRecord &record)
{
    return record.key ? QString() : record.existingHash;
}
/// A service's line, and what a claim says as it refuses, name a key and not its table. What the server says of a
/// violation names what it was.
QString placelessKeyOf(const ConflictRecord &record)
{
    const bool named = record.isReuse() || record.kind == kReplayKind || record.kind == kRefusedKind;
    return named && record.target.isEmpty() ? record.key.value_or(QString()) : QString();
}

/// A transaction that cannot write, whatever functions a profile's expressions call, with time for one pass over the
/// table.
class Reading
{
public:
    explicit Reading(Session &session)
        : m_session(session)
    {
        if (session.facts().standby) {
            return; // cannot write anyway, and refuses the write session's own beginning
        }
        const auto begun = session.begin();
        m_open = begun.ok();
        const auto limited = begun
            ? session.run({ u"SELECT pg_catalog.set_config('transaction_read_only', 'on', true), "
                            "pg_catalog.set_config('statement_timeout', '%1', true)"_s.arg(kSearchMs),
                {} })
            : Result<qint64>(begun.error());
        if (!limited) {
            m_error = limited.error();
        }
    }
    ~Reading()
    {
        if (m_open) {
            m_session.rollback();
        }
    }
    Reading(const Reading &) = delete;
    Reading &operator=(const Reading &) = delete;
    const std::optional<Error> &error() const { return m_error; }

private:
    Session &m_session;
    bool m_open = false;
    std::optional<Error> m_error;
};

class LogKeySearch
{
public:
    LogKeySearch(Session &session, const QList<Target> &targets, const HashReader &readHash, bool allTables)
        : m_session(session)
        , m_readHash(readHash)
        , m_allTables(allTables)
    {
        QSet<quint32> seen; // two profiles on one table are one place to look
        for (const Target &target : targets) {
            if (target.relation.oid == 0 || !seen.contains(target.relation.oid)) {
                seen.insert(target.relation.oid);
                m_targets += &target;
            }
        }
    }

    KeysFound find(QList<ConflictRecord> &records)
    {
        const auto any = [](const Target &) { return true; };
        const QString partly = Tr::tr("Not every table could be searched, so whose key it is cannot be told.");
        look(records,
            { keyHashOf, any, matchKeyHashes, Tr::tr("The key was found by its hash."),
                Tr::tr("Several keys have this hash; which of them was meant is not known."), partly });
        look(records,
            { storedHashOf, [](const Target &target) { return target.profile.has(Role::Fingerprint); },
                matchFingerprints, Tr::tr("The key was found by its stored fingerprint."),
                Tr::tr("Several keys have the stored fingerprint; which of them was meant is not known."), partly });
        look(records,
            { placelessKeyOf, any, matchKeys, Tr::tr("One table has this key."),
                Tr::tr("The key is in several tables or scopes; which of them was meant cannot be told."), partly });
        return m_found;
    }

private:
    /// Which records ask for which hash: the same hash, scope and target is asked for once.
    struct Question {
        WantedHash wanted;
        QString target;
        QList<qsizetype> records;
    };

    void look(QList<ConflictRecord> &records, const Search &search)
    {
        QList<Question> questions;
        QMap<QStringList, qsizetype> places;
        for (qsizetype i = 0; i < records.size(); ++i) {
            const ConflictRecord &record = records.at(i);
            const QString text = search.run == matchKeys ? search.asked(record) : search.asked(record).trimmed();
            if (text.isEmpty() || text.size() > kMostHashChars) {
                continue;
            }
            const auto place = places.constFind({ text, record.scope, record.target });
            if (place != places.cend()) {
                questions[*place].records += i;
                continue;
            }
            places.insert({ text, record.scope, record.target }, questions.size());
            questions += Question { { text, m_readHash(text), record.scope }, record.target, { i } };
        }
        if (questions.isEmpty()) {
            return;
        }
        const QList<Answer> answers = ask(questions, search);
        for (qsizetype i = 0; i < questions.size(); ++i) {
            for (const qsizetype at : questions.at(i).records) {
                fill(records[at], answers.at(i), search);
            }
        }
    }

    QList<Answer> ask(const QList<Question> &questions, const Search &search)
    {
        QList<Answer> answers(questions.size());
        for (qsizetype i = 0; i < questions.size(); ++i) { // one that names its table asks nothing of the others
            answers[i].searched = m_allTables || !questions.at(i).target.isEmpty();
        }
        for (const Target *target : std::as_const(m_targets)) {
            QList<WantedHash> wanted;
            QList<qsizetype> places;
            for (qsizetype i = 0; i < questions.size(); ++i) {
                if (questions.at(i).target.isEmpty() || questions.at(i).target == target->profile.name) {
                    wanted += questions.at(i).wanted;
                    places += i;
                }
            }
            if (wanted.isEmpty() || !search.applies(*target)) {
                continue;
            }
            const auto found = in(*target, wanted, search);
            for (qsizetype i = 0; i < places.size(); ++i) {
                Answer &answer = answers[places.at(i)];
                // The row it means might be in there, or among those that are hidden.
                if (!found || target->relation.rowSecurity) {
                    answer.searched = false;
                }
                if (!found) {
                    continue;
                }
                if (const auto match = found->constFind(i); match != found->cend()) {
                    answer.several = match->several || answer.target != nullptr;
                    answer.target = target;
                    answer.match = *match;
                }
            }
        }
        return answers;
    }

    Result<HashMatches> in(const Target &target, const QList<WantedHash> &wanted, const Search &search)
    {
        if (m_session.cancelled() || m_cancelled) {
            return Error { ErrorKind::Cancelled, {}, {}, {}, {}, {}, {} };
        }
        const Reading reading(m_session);
        auto found = reading.error() ? Result<HashMatches>(*reading.error()) : search.run(m_session, target, wanted);
        if (found && target.relation.rowSecurity) {
            const QString line = Tr::tr("Keys were looked up in “%1” only in part.").arg(target.profile.name) + u' '
                + rowsHiddenNote();
            m_found.notSearched += m_found.notSearched.contains(line) ? QStringList() : QStringList { line };
        }
        if (!found) {
            m_cancelled = m_cancelled || found.error().kind == ErrorKind::Cancelled;
            const QString line
                = Tr::tr("Keys were not looked up in “%1”.").arg(target.profile.name) + u' ' + found.error().line();
            if (!m_found.notSearched.contains(line)) {
                m_found.notSearched += line;
            }
        }
        return found;
    }

    void fill(ConflictRecord &record, const Answer &answer, const Search &search)
    {
        if (answer.target == nullptr) {
            return;
        }
        if (answer.several) {
            say(record, search.several);
        } else if (!answer.searched) {
            say(record, search.partly);
        } else {
            say(record, search.found);
            m_found.found += record.key ? 0 : 1;
            record.key = answer.match.key;
            record.target = answer.target->profile.name;
            QStringList scope = answer.match.scope;
            scope.removeAll(QString());
            record.scope = scope.isEmpty() ? record.scope : scope.join(u" / "_s);
        }
    }

    static void say(ConflictRecord &record, const QString &sentence)
    {
        record.detail = record.detail.left(kMostDetailChars) + (record.detail.isEmpty() ? u""_s : u"\n"_s) + sentence;
    }

    Session &m_session;
    const HashReader &m_readHash;
    const bool m_allTables;
    QList<const Target *> m_targets;
    KeysFound m_found;
    bool m_cancelled = false;
};

} // namespace

KeysFound findKeys(Session &session, const QList<Target> &targets, QList<ConflictRecord> &records,
    const HashReader &readHash, bool allTables)
{
    return LogKeySearch(session, targets, readHash, allTables).find(records);
}

} // namespace idemdesk::sql
