// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"

#include <QWidget>
#include <optional>

class QLabel;
class QPushButton;
class QTabWidget;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class CachedKey;
class KeyBrowserController;
class KeyDetailController;
class KeyTableModel;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BadgeView;
class LinkButton;
class NoticeBar;
class PayloadView;
class RelatedView;
class StoryView;

/// All about the selected key: its story on one time line, every role and column, its payloads, what belongs to it.
/// Follows the selection without ever holding it up.
class DetailPane final : public QWidget
{
    Q_OBJECT

public:
    DetailPane(models::KeyBrowserController *browser, models::KeyDetailController *detail, models::Settings *settings,
        QWidget *parent = nullptr);
    /// Where the person wants none, it stays hidden; else it is shown while there is a key to show.
    void setWanted(bool wanted);
    bool wanted() const { return m_wanted; }
    void setDimmed(bool dimmed); ///< it is of a filter that is no more
    void setCache(models::CachedKey *cached); ///< what the cache in front of the table has of the key
    /// Why its claim cannot be released by this login, or empty; and whether a release is under way.
    void setReleasable(const QString &whyNot, bool busy);
    void tell(const QString &text, const std::optional<sql::Error> &error); ///< what came of a release
    void showTab(const QString &name); ///< "story", "record", "json" or "related"

signals:
    void filterWanted(const QString &text);
    void caseWanted(); ///< the verdict about the key shown
    void releaseWanted(); ///< of the claim in the cache, which holds retries off for nothing
    void recoveryWanted(); ///< of the key shown, which is stuck

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QWidget *buildHeader();
    void setUpRecord();
    void fitRecord();
    QWidget *storyTab();
    QWidget *auditTab();
    void sync();
    void syncHeader();
    QString olderList() const;
    void syncRetry();
    void syncCache();
    bool needsReview() const;
    void updateNotice();
    void copyValue(const QModelIndex &index);
    void recordMenu(const QPoint &place);

    const models::KeyTableModel *m_list;
    models::KeyDetailController *m_detail;
    BadgeView *m_badge;
    QLabel *m_key;
    QToolButton *m_copy;
    QLabel *m_summary;
    QLabel *m_retry;
    QLabel *m_retryTwice; ///< what that would do
    QLabel *m_cachedText;
    QPushButton *m_release;
    models::CachedKey *m_cached = nullptr;
    QString m_whyNotRelease;
    bool m_releasing = false;
    QToolButton *m_why; ///< shows the reasons
    QLabel *m_retryWhy;
    LinkButton *m_links;
    QPushButton *m_recover;
    QPushButton *m_case;
    NoticeBar *m_notice;
    QTabWidget *m_tabs;
    StoryView *m_story;
    QTableView *m_record;
    PayloadView *m_payload;
    RelatedView *m_related;
    QTableView *m_audit;
    QLabel *m_auditNote;
    bool m_wanted = true;
};

} // namespace idemdesk::ui
