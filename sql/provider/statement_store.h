// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/provider.h"
#include "sql/types/result.h"

#include <QSqlQuery>
#include <QStringList>
#include <QTemporaryDir>
#include <functional>
#include <memory>

namespace idemdesk::sql {

class PrivateDatabase;

/// What a line of a statement says became of its request.
enum class LineOutcome {
    Happened,
    Failed,
    Other, ///< it says nothing of the request, such as a fee: it counts for the time that the statement covers
    Unclear ///< a refund, or a word that is not known: it may take back what another line says
};

/// One line of a statement, as it was read.
struct StatementLine {
    qint64 number = 0; ///< of its first line in the file, from 1
    QString reference; ///< in the table's form
    QString amount; ///< canonical decimal; empty: the line has none
    QString currency; ///< in capitals; empty: the line has none
    std::optional<Timestamp> at;
    std::optional<Timestamp> until; ///< the latest moment that `at` may mean: the end of its second, or of its day
    LineOutcome outcome = LineOutcome::Happened;
    QString id; ///< the provider's own number of the booking, or empty: the same one in two files is one
    QString text; ///< the line, hostile
};

/// A row here that has the reference of a line.
struct HereRow {
    QString reference;
    QString identity; ///< as a JSON list
    QString scope; ///< for people
    QString key;
    QString amount; ///< as the server printed it; empty: NULL
    QString currency; ///< in capitals; empty: NULL
    KeyState state = KeyState::Unknown;
    ProviderState provider = ProviderState::Unknown;
    std::optional<bool> stale {}; ///< nothing: it cannot be told, or nobody asked, as of a row that has ended
};

/// One reference of the statement with what it says and what is here.
struct ReferencePair {
    QString reference;
    qint64 happened = 0; ///< lines
    qint64 failed = 0;
    bool contradictory = false; ///< a line takes back what another says, or may: which came last is then not known
    StatementLine line; ///< the first that says that it happened, else the first that says that it failed
    qint64 rows = 0; ///< here
    HereRow here; ///< the first of them
};

/// The lines of a statement and the rows that have their references, in a private SQLite file that goes with this: a
/// million lines need no memory. Lives on one thread.
class StatementStore
{
public:
    static Result<std::unique_ptr<StatementStore>> open();
    ~StatementStore();
    StatementStore(const StatementStore &) = delete;
    StatementStore &operator=(const StatementStore &) = delete;

    /// Gives false where the same booking is there already, of the same reference, outcome and amount.
    Result<bool> addLine(const StatementLine &line);
    /// Between the last line and the first question.
    Result<void> finishLines();

    struct Coverage {
        qint64 lines = 0; ///< that were kept
        qint64 timed = 0; ///< of them with a time
        qint64 told = 0; ///< of them that say what became of a request
        std::optional<Timestamp> from;
        std::optional<Timestamp> to;
    };
    Result<Coverage> coverage();
    /// Numbers of bookings that stand with more than one reference: then they are none.
    Result<qint64> sharedIds();

    /// The references of lines in their order, after this one, at most so many; those of other lines are left out.
    Result<QStringList> references(const QString &after, int most);
    /// Whether lines have the reference, and one of them says what became of it.
    enum class Named {
        No,
        Nearly, ///< but for capitals, blanks and signs a line has it
        LeftAside,
        Yes
    };
    Result<Named> named(const QString &reference);
    /// A row's reference that is only nearly one of a line.
    Result<void> addNear(const QString &reference);
    Result<bool> isNear(const QString &reference); ///< but for capitals, blanks and signs one of these is it
    Result<void> addHere(const HereRow &row);
    Result<void> finishHere();
    /// Each reference of the statement once, in its order; false from the callback ends it.
    Result<void> pairs(const std::function<bool(const ReferencePair &)> &onPair);
    /// The first lines of a reference that say that it happened, or all that say something; at most so many.
    Result<QList<StatementLine>> linesOf(const QString &reference, bool all, int most);

private:
    StatementStore() = default;
    Result<void> commitSometimes();

    QTemporaryDir m_folder; ///< only its owner may look into it
    std::unique_ptr<PrivateDatabase> m_database;
    std::unique_ptr<QSqlQuery> m_addLine; ///< prepared; gone before the database is
    std::unique_ptr<QSqlQuery> m_addHere;
    std::unique_ptr<QSqlQuery> m_find;
    std::unique_ptr<QSqlQuery> m_findNear;
    std::unique_ptr<QSqlQuery> m_addNear;
    std::unique_ptr<QSqlQuery> m_isNear;
    qint64 m_pending = 0; ///< rows since the last commit
};

} // namespace idemdesk::sql
