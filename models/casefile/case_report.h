// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"

#include <QIODevice>

namespace idemdesk::models {

/// The case file for a person who has no access to the database: one HTML page without anything to load, every text
/// escaped. The SHA-256 of the JSON stands in it, so that both can be seen to be the same.
QString caseHtml(const CaseFile &file, const QByteArray &json);

/// The same as a PDF (A4, page numbers). Needs a QGuiApplication, for its fonts. False where the device could not be
/// written.
bool writeCasePdf(const CaseFile &file, const QByteArray &json, QIODevice *device);

} // namespace idemdesk::models
