// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"
#include "models/complaint/complaint.h"
#include "models/format/time_format.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;

namespace idemdesk::models {
class ComplaintController;
class ConnectionController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class CaseView;
class ContentStack;
class NoticeBar;

/// From what support has in hand to a verdict: a question, the intents that may be meant, and the case of those that
/// are picked.
class ComplaintView final : public QWidget
{
    Q_OBJECT

public:
    ComplaintView(models::ConnectionController *connection, models::ComplaintController *complaint,
        models::Settings *settings, QWidget *parent = nullptr);

    void setTimeFormat(const models::TimeFormat &format);
    void askConflict(const sql::ConflictRecord &conflict); ///< for its key alone
    void ask(); ///< looks for what the fields say
    void clear(); ///< for the next complaint

signals:
    void connectClicked();
    void compareWanted(const QList<idemdesk::models::CaseRequest> &requests);

private:
    QWidget *buildQuestion();
    QWidget *buildCandidates();
    void wire();
    void judgeRow(int row);
    void sync();
    void showCase();

    models::ConnectionController *m_connection;
    models::ComplaintController *m_complaint;
    models::TimeFormat m_format;
    QLineEdit *m_key;
    QLineEdit *m_customer;
    QLineEdit *m_resource;
    QLineEdit *m_amount;
    QLineEdit *m_at;
    QComboBox *m_window;
    QLineEdit *m_text;
    QPushButton *m_find;
    BusyBar *m_progress;
    QPushButton *m_clear;
    QPushButton *m_stop;
    NoticeBar *m_notice;
    ContentStack *m_stack;
    QSplitter *m_split;
    QTableView *m_table;
    QLabel *m_counted;
    QPushButton *m_judge;
    CaseView *m_case;
};

} // namespace idemdesk::ui
