// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/verdict/verdict.h"
#include "ui/delegates/state_delegate.h"
#include "ui/theme/tokens.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace idemdesk::ui {

class BadgeView;
class CheckList;

/// The outcome as a badge. Its colour is the outcome's, however certain it is: only work done once, and rightly, is
/// green.
Badge outcomeBadge(const models::Verdict &verdict);

/// A verdict as one reads it at a glance: the outcome in its colour, how certain it is, what happened, each fact with
/// its sign, and what it takes to be certain, as a button where the console can lead there.
class VerdictCard final : public QFrame
{
    Q_OBJECT

public:
    explicit VerdictCard(QWidget *parent = nullptr);

    /// notes: what was found beside it; unknown: what could not be looked at.
    void showVerdict(const models::Verdict &verdict, const QStringList &notes, const QStringList &unknown = {});
    /// What it is about in a line beneath the sentence: amounts, how far apart, scopes. Safe to show; empty for none.
    void setSubject(const QString &text);
    /// What one does next, with a button that copies what is needed for it; after showVerdict().
    void addNextStep(const QString &sentence, const QString &button);
    void showText(const QString &text); ///< while there is no verdict: what is under way, or nothing

signals:
    void settleWanted(idemdesk::models::SettledBy by);
    void nextStepClicked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void addOpen(const models::OpenPoint &point);
    void addWay(const QString &sentence, QPushButton *button);
    void alignWays();

    BadgeView *m_outcome;
    QLabel *m_certainty;
    QLabel *m_sentence;
    QLabel *m_subject;
    QLabel *m_effects;
    CheckList *m_facts; ///< facts, notes and open points
    QList<QPushButton *> m_ways; ///< the open points' buttons
    std::optional<Token> m_tone; ///< nothing while there is no verdict
};

} // namespace idemdesk::ui
