// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"

#include <QMap>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class CompareController;
class ConflictController;
class ConflictRequestReader;
class ConnectionController;
class Settings;
struct ImportCounts;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BadgeView;
class Chip;
class ContentStack;
class LinkButton;
class NoticeBar;

/// Keys that came again with another request, as services recorded them or logs tell; both requests side by side,
/// and the way to the key. Logs are imported here.
class ConflictsView final : public QWidget
{
    Q_OBJECT

public:
    ConflictsView(models::ConnectionController *connection, models::ConflictController *conflicts,
        models::Settings *settings, QWidget *parent = nullptr);

    void activate(); ///< the page was shown
    void importFiles(const QStringList &files);
    void askFields(); ///< opens the dialog for the fields of services' logs

signals:
    void connectClicked();
    void judgeWanted(const idemdesk::sql::ConflictRecord &conflict);
    void keyWanted(const QString &target, const QString &key); ///< target may be empty: not known
    /// Of the conflict that is looked at, the stored one first, as far as each is known.
    void compareWanted(const QList<idemdesk::models::CaseRequest> &requests);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *buildBar();
    QWidget *buildKinds();
    QWidget *buildDetail();
    QWidget *buildRequests();
    static QString storedTitle();
    static QString receivedTitle();
    void wire();
    void wireRequests();
    void sync();
    void showConflict();
    void arrange(); ///< list and detail, in the room that there is
    void showName(const sql::ConflictRecord *record);
    void showHashes(const sql::ConflictRecord &record);
    void showRequests();
    void showKinds(); ///< how many of the records there are of each kind
    void filter(); ///< by what the bar says
    void askFiles();
    void askFolder();
    void takeFields();
    void importCopied();
    void told(const QString &file, const models::ImportCounts &counts);

    models::ConnectionController *m_connection;
    models::ConflictController *m_conflicts;
    models::Settings *m_settings;
    QComboBox *m_kind;
    QWidget *m_kinds; ///< a chip for each kind that there is
    QMap<QString, Chip *> m_kindChips;
    QMap<QString, int> m_kindCounts; ///< of the records of any kind that were read last
    QString m_kindsAmong; ///< key and attribute that they were asked with
    bool m_moreKinds = false; ///< there are older records, which were not counted
    QLineEdit *m_key;
    QLineEdit *m_attribute;
    QPushButton *m_import;
    QProgressBar *m_progress;
    QPushButton *m_stop;
    NoticeBar *m_notice;
    ContentStack *m_stack;
    QSplitter *m_split;
    QTableView *m_table;
    QWidget *m_detail = nullptr;
    BadgeView *m_badge;
    QLabel *m_name;
    QLabel *m_facts;
    QLabel *m_sentence;
    QLabel *m_meaning; ///< of its error code
    QLabel *m_hashes;
    QToolButton *m_copyHashes;
    QLabel *m_hashSentence;
    models::ConflictRequestReader *m_reader;
    models::CompareController *m_differences; ///< between both requests
    QStackedWidget *m_requests;
    QPlainTextEdit *m_stored;
    QPlainTextEdit *m_received;
    QLabel *m_storedWhy; ///< why there is no stored request, in its place
    QLabel *m_receivedWhy;
    QWidget *m_noRoom = nullptr; ///< what the texts leave
    QPlainTextEdit *m_message;
    LinkButton *m_links;
    QPushButton *m_compare;
    QPushButton *m_judge;
    QPushButton *m_show;
    QTimer m_tick;
    bool m_arranged = false;
    bool m_toldImport = false; ///< the notice says what an import did
};

} // namespace idemdesk::ui
