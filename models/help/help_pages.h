// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace idemdesk::models {

/// One page of the help. Window, terminal, manual and HTML show the same text.
struct HelpTopic {
    QString id; ///< "filter": of its file, of links to it, and of the window's page that it explains
    QString title; ///< its first heading
    QString summary; ///< one line, for lists and the manual's NAME; no full stop
    QString markdown; ///< the page, tables made from the program's own included
};

/// Every page, in the order a newcomer reads them.
const QList<HelpTopic> &helpTopics();
/// Their ids alone: quick, as it reads none of the pages.
QStringList helpTopicIds();
/// The page of that id; null where there is none.
const HelpTopic *helpTopic(const QString &id);
/// The page about what the console can hold and what it cannot, as Markdown.
QString safetyPage();

/// What a field of the window is for, by its object name or the part of it beside a "*"; empty where nothing is said.
QString fieldHelp(const QString &objectName);
/// The page that explains a dialog, by its object name; "start" where none does.
QString dialogTopic(const QString &objectName);

} // namespace idemdesk::models
