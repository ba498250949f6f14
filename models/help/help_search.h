// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace idemdesk::models {

/// One place of the help that a search found.
struct HelpHit {
    QString topic; ///< its id
    QString title; ///< of the topic
    QString heading; ///< under which it stands; the title again where it stands before any other
    QString excerpt; ///< the line around the word, as plain text
};

/// Looks for words in every page, all of them in one part of a page, in any case. What stands in a heading comes
/// first, then the pages in their order; one hit for each part. Nothing for no word.
QList<HelpHit> searchHelp(const QString &words);

/// Markdown without its signs, as it reads in a list.
QString plainMarkdown(const QString &line);

} // namespace idemdesk::models
