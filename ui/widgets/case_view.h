// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"
#include "models/format/time_format.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace idemdesk::models {
class CaseController;
class StoryModel;
} // namespace idemdesk::models

namespace idemdesk::ui {

class NoticeBar;
class VerdictCard;

/// A case: the verdict with its facts and what it takes to be certain, the story on one line of time, and the file to
/// take away.
class CaseView final : public QWidget
{
    Q_OBJECT

public:
    explicit CaseView(models::CaseController *controller, QWidget *parent = nullptr);

    void setTimeFormat(const models::TimeFormat &format);
    void addLast(QPushButton *button); ///< of the dialog around it, into the row of buttons
    void setComplaint(const QString &text); ///< as it stands in the case file; the person may change it

signals:
    /// The requests of the case, the stored ones first; one where no other is known.
    void compareWanted(const QList<idemdesk::models::CaseRequest> &requests);
    void recoveryWanted(const QString &target, const QString &filter); ///< of what is stuck
    void referenceWanted(const QString &reference, const QString &key); ///< search every table; the reference may be ""
    void providerWanted(const QString &target); ///< compare it with the provider's own record
    void pageWanted(const QString &page); ///< by its id

private:
    QWidget *buildVerdict();
    void sync();
    void syncCompare();
    void copyReferences();
    void settle(models::SettledBy by);
    void askFile(const QString &suffix);

    models::CaseController *m_controller;
    models::StoryModel *m_story;
    NoticeBar *m_notice;
    VerdictCard *m_card;
    QWidget *m_told; ///< the story, once there is one
    QLabel *m_names; ///< which letter stands for which key, where there are several
    QLineEdit *m_complaint;
    QPushButton *m_compare;
    QLabel *m_compareWhy; ///< why there is nothing to compare
    QPushButton *m_save;
    QHBoxLayout *m_last;
};

} // namespace idemdesk::ui
