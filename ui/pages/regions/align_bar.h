// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/regions/region_aligner.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace idemdesk::ui {

class ActionDialog;
struct ActionQuestion;

/// Carries out what a comparison proposes, after the same review as any other action, and shows how it goes in each
/// member. Hidden while there is nothing to say.
class AlignBar final : public QWidget
{
    Q_OBJECT

public:
    /// Where the keys are, for the review.
    struct About {
        QString group; ///< its name
        QString title; ///< of the table
        QString relation;
        std::array<QString, 2> places; ///< "orders on eu:5432 as op", by side
        sql::Environment environment = sql::Environment::Unmarked; ///< of the side that needs more care
        bool all = true; ///< each key was looked at
    };

    AlignBar(const QString &journalPath, QWidget *parent);

    /// Opens the review of what may be aligned of these; where nothing may be, it says why.
    void ask(const QList<models::RegionDifference> &differences, const std::array<models::AlignSide, 2> &sides,
        const About &about);
    void forget(); ///< a database of it goes, or the differences are others
    models::RegionAligner *aligner() const { return m_aligner; }

signals:
    void aligned(); ///< it has ended: what was compared is no longer so

private:
    void openReview(const About &about);
    void addKeys(ActionQuestion *question) const;
    void addSides(ActionQuestion *question, const About &about) const;
    void sync();
    QStringList reasons() const; ///< why keys are left alone

    models::RegionAligner *m_aligner;
    QLabel *m_text;
    QPushButton *m_stop;
    QPointer<ActionDialog> m_dialog;
    QString m_said; ///< while nothing runs
};

} // namespace idemdesk::ui
