// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"
#include "models/keys/key_browser.h"
#include "sql/types/local_place.h"
#include "ui/pages/page.h"

class QSplitter;
class QTableView;

namespace idemdesk::models {
class ActionCenter;
class CachedKey;
class CachePlace;
class ConnectionController;
class ExportController;
class KeyDetailController;
class KeySpreadController;
class OverviewModel;
class ReleaseController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ContentStack;
class DetailPane;
class ExportStrip;
class FilterBar;
class KeysStrip;
class KeysToolbar;
class KeyTableView;
class NoticeBar;

/// What the cache in front of a table has of its keys, and who may release it.
struct KeyCacheModels {
    models::CachedKey *cached = nullptr;
    models::ReleaseController *releases = nullptr;
    models::ActionCenter *center = nullptr;
    models::CachePlace *place = nullptr;
};

/// The key browser: one target's keys, filtered, ordered and paged, with the selected key's detail beside them.
/// The rows of one table by a filter, as many as there are, and beside them the record that is chosen.
class KeysPage final : public Page
{
    Q_OBJECT

public:
    KeysPage(models::ConnectionController *connection, models::KeyBrowserController *browser,
        models::KeyDetailController *detail, models::ExportController *exporter, models::Settings *settings,
        QWidget *parent = nullptr);
    static Face ownFace(); ///< known before there is one

    void refresh() override;
    void refreshByItself() override { } // the list has a clock of its own, which keeps the place
    void setTimeFormat(const models::TimeFormat &format) override;
    void activate() override;
    void deactivate() override;
    /// Shows a target by its profile's name with a filter text; nothing happens if it is not a target of this
    /// connection.
    void showTarget(const QString &profileName, const QString &filterText);
    void openCase(); ///< the verdict about the key shown, and a case file
    /// What the page begins with, unless somebody asked for other keys: the stuck ones, where there are any.
    void setOverview(const models::OverviewModel *overview);
    void setCache(const KeyCacheModels &cache);
    void setConflictsKnown(bool known); ///< the server keeps conflicts, and this login may read them
    void setConflictsHere(const sql::LocalPlace &place); ///< where imports are kept on this computer
    /// Where the window belongs to a group, a verdict says which member it looked at.
    void setCaseGroup(const models::CaseGroup &group) { m_caseGroup = group; }
    void setFilterText(const QString &text);
    void focusFilter();
    void selectRow(int row);
    void toggleDetail();
    void toggleStrip(); ///< the rows over time, by scope and age
    void openJump();
    void openExport();
    DetailPane *detailPane() const { return m_detailPane; }
    QTableView *table() const;

signals:
    void compareWanted(const QList<idemdesk::models::CaseRequest> &requests);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void layOut();
    void takeTarget(const QString &profileName, const QString &filterText);
    void beginWithStuck();
    void syncStuck(); ///< how many there are says the chip that shows them
    void syncStrip();
    enum class Strip { Hidden, Folded, Whole };
    Strip stripWanted() const;
    void setDimmed(bool dimmed); ///< all that is of the filter before
    QString searchedKey() const; ///< the one key that the filter asks for, or empty
    bool detailFits() const; ///< beside the list
    void syncRoom(); ///< the page is wider or higher now, or has larger texts
    void wire();
    void wireBrowser();
    void wireNotices();
    void wireTable();
    void wireDetail();
    void askRelease();
    void syncRelease();
    void openSelectedCase();
    void openCaseOf(const QList<sql::KeyRecord> &records);
    void onTargetsChanged();
    void onTargetChanged();
    void onCurrentRecord();
    void followRow(); ///< the row that is meant was read, or is another one now
    void onEmptyButton();
    void onEmptySecond();
    bool oneKeySought() const; ///< the filter is one whole key and nothing else
    void updateState();
    void updateEmptyState();
    void rememberSplitter();
    void showCost(const sql::FilterCost &cost);

    sql::LocalPlace m_conflictsHere;
    models::CaseGroup m_caseGroup;
    models::ConnectionController *m_connection;
    models::KeyBrowserController *m_browser;
    models::KeyDetailController *m_detail;
    models::Settings *m_settings;
    models::KeySpreadController *m_spread;
    KeysToolbar *m_toolbar;
    FilterBar *m_filter;
    KeysStrip *m_strip;
    NoticeBar *m_notice;
    NoticeBar *m_cost;
    QSplitter *m_splitter;
    ContentStack *m_stack;
    KeyTableView *m_table;
    DetailPane *m_detailPane;
    ExportStrip *m_export;
    const models::OverviewModel *m_overview = nullptr;
    KeyCacheModels m_cache;
    bool m_releaseAsked = false; ///< the release under way was asked for here
    bool m_asked = false; ///< somebody asked for keys here
    bool m_few = false; ///< rows, by the newest count: each can be read, and no chart helps
    bool m_front = false; ///< this page is the one that is looked at
};

} // namespace idemdesk::ui
