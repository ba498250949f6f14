// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_comparison.h"
#include "sql/types/error.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSplitter;
class QTableView;

namespace idemdesk::models {
class ActionCenter;
class ConnectionController;
class EvidenceController;
class Settings;
class StatementController;
class TimeFormat;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class Chip;
class ChipRow;
class ContentStack;
class EvidenceDialog;
class NoticeBar;
class RightsNotice;

/// What a provider's statement says of the keys of one table: how much agrees, and each difference by its kind. From
/// here it is exported, or recorded as evidence.
class StatementView final : public QWidget
{
    Q_OBJECT

public:
    struct Controllers {
        models::StatementController *statement;
        models::EvidenceController *evidence;
        models::ActionCenter *actions;
    };
    StatementView(models::ConnectionController *connection, const Controllers &controllers, models::Settings *settings,
        QWidget *parent = nullptr);

    void setTarget(const QString &target); ///< its profile's name; empty: there is none
    void setTimeFormat(const models::TimeFormat &format);
    void suggest(const QString &path); ///< names a file to begin with; empty: none
    void askRecord(); ///< opens the question
    QDialog *dialog() const; ///< that question, null while there is none

signals:
    void connectClicked();
    void importClicked();
    void installClicked();
    void registerClicked(const QString &target);
    void keyWanted(const QString &key);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *buildStrip();
    QWidget *buildTitle();
    ChipRow *buildHead();
    QWidget *buildDetail();
    void setUpList(models::Settings *settings);
    void wire();
    void chooseKinds();
    void showKey();
    void askExport();
    void record();
    void sync();
    void syncNotice();
    void showRecorded(qint64 recorded);
    void syncSummary();
    void syncChips();
    void syncRecord();
    void syncEmpty();
    void syncRow();
    void fitLine();
    void fitColumns();
    QString whyNotRecord() const;

    models::ConnectionController *m_connection;
    Controllers m_controllers;
    QString m_target;
    QString m_suggested;
    QWidget *m_strip;
    QLabel *m_progress;
    BusyBar *m_busy;
    QPushButton *m_cancel;
    NoticeBar *m_notice;
    RightsNotice *m_rights;
    QLabel *m_summary;
    QLabel *m_notes;
    QWidget *m_title;
    ChipRow *m_head;
    QList<std::pair<models::StatementFindingKind, Chip *>> m_chips;
    QPushButton *m_export;
    QPushButton *m_record;
    ContentStack *m_stack;
    QSplitter *m_split;
    QTableView *m_table;
    QLabel *m_what;
    QPlainTextEdit *m_line;
    QPushButton *m_show;
    QPointer<EvidenceDialog> m_dialog;
    std::optional<sql::Error> m_exportError;
    QString m_exported; ///< the file that was written last
    QString m_whyNot; ///< why nothing can be recorded for this table
};

} // namespace idemdesk::ui
