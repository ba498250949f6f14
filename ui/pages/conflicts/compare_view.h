// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"

#include <QWidget>
#include <array>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabWidget;
class QTableView;
class QTreeView;

namespace idemdesk::models {
class CompareController;
class ConnectionController;
class RecipeKeeper;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class ContentStack;
class CountMark;
class NoticeBar;
class PayloadSide;
class RecipePane;

/// Two payloads, compared by structure or as text, as a tree and side by side; why their fingerprints differ; and the
/// recipe that makes a stored fingerprint, to be tried on a table's rows and kept in its profile.
class CompareView final : public QWidget
{
    Q_OBJECT

public:
    CompareView(models::ConnectionController *connection, models::CompareController *compare,
        models::RecipeKeeper *keeper, models::Settings *settings, QWidget *parent = nullptr);

    /// Takes the first two, with the fingerprint stored for the first; of one, the other is left to be pasted. All can
    /// be chosen then.
    void setRequests(const QList<models::CaseRequest> &requests);
    /// Also fills the field of the fingerprint; an empty text empties it.
    void setFingerprint(const QString &stored);
    void showTab(const QString &name); ///< "tree" or "sides"
    static void setUpSides(QTableView *table); ///< of a SideBySideModel: both payloads share the width

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    PayloadSide *buildSide(int side);
    QWidget *buildQuestion();
    QWidget *buildAnswer(models::Settings *settings);
    void wire();
    void takeRequest(int side, qsizetype at); ///< of those of the case
    void takeFields(const models::CaseRequest &first); ///< which the fields are about
    void openFile(int side);
    void paste(int side);
    void applyRules();
    void applyFingerprint();
    void sync();
    void syncOptions(); ///< the fields are there once they are needed
    void showCounts();

    models::ConnectionController *m_connection;
    models::CompareController *m_compare;
    models::RecipeKeeper *m_keeper;
    QList<models::CaseRequest> m_requests; ///< of the case that was handed over
    std::array<PayloadSide *, 2> m_halves {};
    QPushButton *m_swap;
    QPushButton *m_options; ///< shows the fields
    bool m_optionsChosen = false; ///< by the person, who then keeps what was chosen
    QWidget *m_question = nullptr;
    QLineEdit *m_ignore;
    QLabel *m_ignoreTitle = nullptr;
    QString m_rules; ///< the text there that was applied last
    QLineEdit *m_fingerprint;
    QLineEdit *m_parts;
    QComboBox *m_origin;
    NoticeBar *m_notice;
    ContentStack *m_stack;
    QLabel *m_summary;
    QWidget *m_countRow;
    QList<CountMark *> m_counts;
    QLabel *m_why;
    QLabel *m_recipe;
    RecipePane *m_recipePane;
    QCheckBox *m_only;
    QWidget *m_corner; ///< with it, beside the tabs
    QTabWidget *m_tabs;
    QTreeView *m_tree;
    QTableView *m_sides;
    BusyBar *m_progress;
    QPushButton *m_stop;
    QWidget *m_answer; // last: it holds what stands above
};

} // namespace idemdesk::ui
