// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <optional>

namespace idemdesk::models {

/// Whether trying the same request again can end otherwise.
enum class FailureClass {
    Passing, ///< yes: the cause goes away by itself
    Final, ///< no, unless somebody changes the request or the service
    Depends ///< what has to be looked at stands in its advice
};

/// What is to be known of an error code.
struct ErrorCode {
    QString code; ///< as it is listed: "40001", or "08" for a whole class
    QString name; ///< the condition's name, as services store it as well; may be empty
    FailureClass cls = FailureClass::Depends;
    QString meaning; ///< one sentence
    QString advice; ///< one sentence: what to do
    bool byName = false; ///< a service's own word, read as most services use it; no action rests on that
};

/// Every code that the console explains: those of idempotent services, SQLSTATEs, and whole classes of these.
const QList<ErrorCode> &errorCodes();

/// What this code, condition name, SQLSTATE of a known class or usual word of a service means; nothing for other words.
std::optional<ErrorCode> errorCodeOf(const QString &code);

/// "passing", "final" or "depends", as --json writes it.
QString failureClassName(FailureClass cls);
QString failureClassLabel(FailureClass cls); ///< "Temporary", "Final", "To be looked at"
/// The label, with "by its name" where the code is a service's own word.
QString failureClassLabel(const ErrorCode &code);

/// "Passing: …. Try …": all of it on one line; empty for an unknown code.
QString errorCodeText(const QString &code);
/// The same without the advice, which is for the service.
QString errorCodeMeaning(const QString &code);

/// The SQLSTATEs in a log's or a conflict's text ("SQLSTATE 40P01", "P4002"), each once, as far as they are known.
QList<ErrorCode> errorCodesIn(const QString &text);

} // namespace idemdesk::models
