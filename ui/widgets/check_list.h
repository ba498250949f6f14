// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/verdict/verdict.h"

#include <QWidget>

class QVBoxLayout;

namespace idemdesk::ui {

/// Facts below each other, each with its sign: a tick, a cross, a question mark. Signs are read aloud as words.
class CheckList final : public QWidget
{
    Q_OBJECT

public:
    CheckList(const QString &objectName, const QString &accessibleName, QWidget *parent);

    void clear();
    /// lineName: the object name of the sentence, which can be selected. depth: how deep it stands beneath another.
    /// word: what the sign is read aloud as, where it is no fact of a verdict.
    void add(models::FactSign sign, const QString &lineName, const QString &sentence, int depth = 0,
        const QString &word = {});
    void addNote(const QString &lineName, const QString &sentence, int depth = 0); ///< without a sign
    void addStep(int number, const QString &lineName, const QString &sentence); ///< of what is done one by one
    void addHeading(const QString &text);
    void addWidget(QWidget *widget); ///< the list's own from now on
    int indent() const; ///< pixels before a sentence

private:
    void addLine(const QString &sign, const QColor &color, const QString &word, const QString &lineName,
        const QString &sentence, int depth);

    QVBoxLayout *m_lines;
};

} // namespace idemdesk::ui
