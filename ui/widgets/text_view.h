// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPlainTextEdit;
class QString;

namespace idemdesk::ui {

/// A text of several lines to read and copy: Tab goes on to what stands behind it.
void setUpText(QPlainTextEdit *text, const QString &objectName, const QString &accessibleName);
/// The same for SQL, hashes, keys and payloads.
void setUpCode(QPlainTextEdit *text, const QString &objectName, const QString &accessibleName);
/// Lines of comment are muted, so that one that wraps is not taken for a statement.
void muteSqlComments(QPlainTextEdit *text);

} // namespace idemdesk::ui
