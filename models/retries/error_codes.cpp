// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/retries/error_codes.h"

#include "models/retries/service_words.h"
#include "sql/types/tr.h"

#include <QRegularExpression>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QList<ErrorCode> protocolCodes()
{
    using enum FailureClass;
    return {
        { u"P4000"_s, {}, Final, Tr::tr("The claim came without a scope."), Tr::tr("Mend the caller.") },
        { u"P4001"_s, {}, Final, Tr::tr("The claim came without a key."), Tr::tr("Mend the caller.") },
        { u"P4002"_s, {}, Final, Tr::tr("The key belongs to another request."),
            Tr::tr("Send a changed request under a new key.") },
        { u"P4003"_s, {}, Final, Tr::tr("The claim came without a request hash."), Tr::tr("Mend the caller.") },
        { u"P4010"_s, {}, Depends, Tr::tr("A worker wanted to mark a key as succeeded that was no longer in progress."),
            Tr::tr("Look who changed the key meanwhile, and whether the effect is there twice.") },
        { u"P4011"_s, {}, Depends,
            Tr::tr("A worker wanted to mark a key as failed that was not in progress. This code can hide the first "
                   "error."),
            Tr::tr("Look for the error before it in the service's log.") },
        { u"P4029"_s, {}, Passing, Tr::tr("Another attempt works on the key."),
            Tr::tr("Try again after a short while, from a new transaction.") },
        { u"P4030"_s, {}, Final, Tr::tr("The key failed for good before."),
            Tr::tr("Read the stored failure; a changed request needs a new key.") },
        { u"P4050"_s, {}, Final, Tr::tr("The message id came before with another payload."),
            Tr::tr("Find out which of the two messages the producer meant.") },
        { u"P4099"_s, {}, Final, Tr::tr("The key is in a state that the claim does not know."),
            Tr::tr("Recover the key, or mend the row.") },
    };
}

QList<ErrorCode> stateCodes()
{
    using enum FailureClass;
    const QString again = Tr::tr("Run the whole transaction again.");
    return {
        { u"40001"_s, u"serialization_failure"_s, Passing, Tr::tr("The transaction met a concurrent one."), again },
        { u"40P01"_s, u"deadlock_detected"_s, Passing, Tr::tr("The database ended it to resolve a deadlock."),
            Tr::tr("Run the whole transaction again, after a short pause.") },
        { u"40003"_s, u"statement_completion_unknown"_s, Depends,
            Tr::tr("Nobody can say whether the statement took effect."),
            Tr::tr("Look for the effect first; a retry under the same key is safe where the key covers it.") },
        { u"55P03"_s, u"lock_not_available"_s, Passing, Tr::tr("A lock was not free in time."),
            Tr::tr("Try again later; “Activity” shows who holds it.") },
        { u"55006"_s, u"object_in_use"_s, Passing, Tr::tr("Something was in use."), Tr::tr("Try again later.") },
        { u"57014"_s, u"query_canceled"_s, Passing, Tr::tr("The statement was cancelled, or ran into its time limit."),
            Tr::tr("Try again; where it comes back, look why it takes so long.") },
        { u"57P01"_s, u"admin_shutdown"_s, Passing, Tr::tr("Somebody ended the session, or the server stopped."),
            again },
        { u"57P02"_s, u"crash_shutdown"_s, Passing, Tr::tr("The server went down with another process."), again },
        { u"57P03"_s, u"cannot_connect_now"_s, Passing, Tr::tr("The server was starting or stopping."),
            Tr::tr("Try again later.") },
        { u"57P05"_s, u"idle_session_timeout"_s, Passing, Tr::tr("The session was idle for too long."), again },
        { u"25P03"_s, u"idle_in_transaction_session_timeout"_s, Passing,
            Tr::tr("The transaction was idle for too long and was taken back."),
            Tr::tr("Run the whole transaction again; the service should not wait inside it.") },
        { u"25006"_s, u"read_only_sql_transaction"_s, Passing, Tr::tr("It met a standby, or a read-only transaction."),
            Tr::tr("Try again on the primary.") },
        { u"23505"_s, u"unique_violation"_s, Depends,
            Tr::tr("A row with this unique value is there. It may be a replay, a conflict or a fault."),
            Tr::tr("Compare the row that is there with the request before anybody tries again.") },
        { u"23503"_s, u"foreign_key_violation"_s, Depends,
            Tr::tr("A row that it points to is not there, or still used."),
            Tr::tr("Look whether the other row came late; else mend the request.") },
        { u"23502"_s, u"not_null_violation"_s, Final, Tr::tr("A value is missing."), Tr::tr("Mend the request.") },
        { u"23514"_s, u"check_violation"_s, Final, Tr::tr("A value breaks a rule of the table."),
            Tr::tr("Mend the request; the same one fails again.") },
        { u"23P01"_s, u"exclusion_violation"_s, Depends, Tr::tr("Another row stands in the way."),
            Tr::tr("Compare the row that is there with the request.") },
        { u"P0001"_s, u"raise_exception"_s, Depends, Tr::tr("The service's own code in the database raised it."),
            Tr::tr("Read its message: validation is final.") },
    };
}

QList<ErrorCode> classCodes()
{
    using enum FailureClass;
    return {
        { u"08"_s, {}, Passing, Tr::tr("The connection failed. Whether the last commit took effect is not known."),
            Tr::tr("Look for the effect, or try again under the same key.") },
        { u"53"_s, {}, Passing, Tr::tr("The server lacked room: connections, memory or disk."),
            Tr::tr("Try again later, and tell who runs the server.") },
        { u"58"_s, {}, Passing, Tr::tr("The server's system failed."), Tr::tr("Tell who runs the server; try later.") },
        { u"40"_s, {}, Passing, Tr::tr("The transaction was taken back."), Tr::tr("Run the whole transaction again.") },
        { u"22"_s, {}, Final, Tr::tr("A value has no valid form."),
            Tr::tr("Mend the request; the same one fails again.") },
        { u"23"_s, {}, Depends, Tr::tr("The data breaks a constraint."), Tr::tr("Compare it with what is there.") },
        { u"28"_s, {}, Final, Tr::tr("The login was refused."), Tr::tr("Mend the service's login.") },
        { u"42"_s, {}, Final, Tr::tr("The statement is wrong, or not allowed."),
            Tr::tr("Mend the service or its rights; requeue its keys then.") },
        { u"XX"_s, {}, Depends, Tr::tr("The server met a fault of its own."),
            Tr::tr("Read the server's log before anybody tries again.") },
    };
}

QList<ErrorCode> consoleCodes()
{
    using enum FailureClass;
    return { { u"abandoned"_s, {}, Depends, Tr::tr("An operator ended a stuck key from this console."),
        Tr::tr("Read the reason in the audit log.") } };
}

const QRegularExpression &stateForm()
{
    static const QRegularExpression form(u"^[0-9A-Z]{5}$"_s);
    return form;
}

} // namespace

const QList<ErrorCode> &errorCodes()
{
    static const QList<ErrorCode> all = protocolCodes() + stateCodes() + classCodes() + consoleCodes();
    return all;
}

std::optional<ErrorCode> errorCodeOf(const QString &code)
{
    const QString text = code.trimmed();
    for (const ErrorCode &one : errorCodes()) {
        if (one.code.compare(text, Qt::CaseInsensitive) == 0
            || (!one.name.isEmpty() && one.name.compare(text, Qt::CaseInsensitive) == 0)) {
            return one;
        }
    }
    const QString state = text.toUpper();
    for (const ErrorCode &one : stateForm().match(state).hasMatch() ? errorCodes() : QList<ErrorCode>()) {
        if (one.code.size() == 2 && state.startsWith(one.code)) {
            return one;
        }
    }
    return serviceWordOf(text);
}

QString failureClassName(FailureClass cls)
{
    using enum FailureClass;
    return cls == Passing ? u"passing"_s : cls == Final ? u"final"_s : u"depends"_s;
}

QString failureClassLabel(FailureClass cls)
{
    using enum FailureClass;
    return cls == Passing ? Tr::tr("Temporary") : cls == Final ? Tr::tr("Final") : Tr::tr("To be looked at");
}

QString failureClassLabel(const ErrorCode &code)
{
    const QString label = failureClassLabel(code.cls);
    return code.byName ? Tr::tr("%1, by its name").arg(label) : label;
}

QString errorCodeMeaning(const QString &code)
{
    const auto found = errorCodeOf(code);
    return found ? Tr::tr("%1: %2").arg(failureClassLabel(*found), found->meaning) : QString();
}

QString errorCodeText(const QString &code)
{
    const auto found = errorCodeOf(code);
    return found ? Tr::tr("%1: %2 %3").arg(failureClassLabel(*found), found->meaning, found->advice) : QString();
}

QList<ErrorCode> errorCodesIn(const QString &text)
{
    static const QRegularExpression word(
        u"\\b(P4\\d{3}|P0001|40P01|55P03|57P0\\d|25P03|23P01|XX\\d{3}|[0-5]\\d[0-9A-Z]{3})\\b"_s);
    static const QRegularExpression said(u"(?i)(sqlstate|state|code|error)\\W{0,3}$"_s);
    QList<ErrorCode> found;
    auto matches = word.globalMatch(text);
    while (matches.hasNext()) {
        const auto match = matches.next();
        const QString state = match.captured();
        // Five digits alone may be anything, unless the text calls them a code.
        const bool digits = !state.contains(QRegularExpression(u"[A-Z]"_s));
        const auto code = errorCodeOf(state);
        if (!code || (digits && !said.match(text.left(match.capturedStart())).hasMatch())) {
            continue;
        }
        ErrorCode one = *code;
        one.code = state;
        const bool known = std::any_of(
            found.cbegin(), found.cend(), [&one](const ErrorCode &other) { return other.code == one.code; });
        found += known ? QList<ErrorCode>() : QList<ErrorCode> { one };
    }
    return found;
}

} // namespace idemdesk::models
