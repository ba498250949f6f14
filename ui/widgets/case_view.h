// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"
#include "models/format/time_format.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;

namespace idemdesk::models {
class CaseController;
class StoryModel;
} // namespace idemdesk::models

namespace idemdesk::ui {

class NoticeBar;

/// A case: the verdict, the story on one line of time, the rules it follows with what would settle what is open, and
/// the file to take away.
class CaseView final : public QWidget
{
    Q_OBJECT

public:
    explicit CaseView(models::CaseController *controller, QWidget *parent = nullptr);

    void setTimeFormat(const models::TimeFormat &format);
    void setComplaint(const QString &text); ///< as it stands in the case file; the person may change it

signals:
    /// The requests of the case, the stored ones first; one where no other is known.
    void compareWanted(const QList<idemdesk::models::CaseRequest> &requests);

private:
    void sync();
    void askFile(const QString &suffix);

    models::CaseController *m_controller;
    models::StoryModel *m_story;
    NoticeBar *m_notice;
    QLabel *m_sentence;
    QLabel *m_certainty;
    QTabWidget *m_tabs;
    QPlainTextEdit *m_rules;
    QLineEdit *m_complaint;
    QPushButton *m_compare;
    QPushButton *m_save;
};

} // namespace idemdesk::ui
