// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/diff/json_source.h"
#include "models/fingerprint/canonical_numbers.h"

#include <QList>
#include <QString>

namespace idemdesk::models {

/// One way in which services turn a payload into the bytes they hash.
struct CanonicalForm {
    enum class Whole { Bytes, TrimmedBytes, Tokens, Tree, Values, Pairs };
    enum class Keys { AsWritten, CodeUnits, CodePoints, CaseInsensitive, Jsonb };
    enum class Escapes { Least, Ascii, Php };

    QString id; ///< stable, as a profile keeps it: "stable-json"
    Whole whole = Whole::Tree;
    Keys keys = Keys::AsWritten;
    bool integerKeysFirst = false; ///< as objects of JavaScript keep them
    bool spaced = false; ///< ", " and ": "
    Escapes escapes = Escapes::Least;
    NumberStyle numbers = NumberStyle::EcmaScript;
    QByteArray joint = {}; ///< between Values, and between Pairs
    bool topOnly = false; ///< only the outermost object is sorted
    bool onlyTopNames = false; ///< within, members whose name does not stand on top are left out (a list as replacer)
    bool percent = false; ///< Pairs are escaped as in an address

    bool needsJson() const { return whole > Whole::TrimmedBytes; }
    bool keepsBytes() const { return !needsJson(); }
};

/// All forms known, the likeliest first.
const QList<CanonicalForm> &canonicalForms();
/// Nothing for an unknown id.
const CanonicalForm *canonicalForm(const QString &id);
/// "JSON with sorted keys and no blanks (stable JSON, RFC 8785)".
QString formInWords(const CanonicalForm &form);

/// A text as JSON of this form writes it, in its quotes.
QByteArray jsonText(const QString &text, const CanonicalForm &form);

/// The bytes that are hashed. `json` may be null where the form does not need it.
QByteArray canonicalBytes(const CanonicalForm &form, const QByteArray &payload, const JsonSource *json);

} // namespace idemdesk::models
