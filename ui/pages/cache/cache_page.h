// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace idemdesk::models {
class CacheController;
class CachePlace;
class ConnectionController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class ContentStack;
class NoticeBar;
class TargetChooser;

/// A table and the Redis in front of it: what disagrees, and how entries expire. It is offered only while a table's
/// profile names a cache. Nothing is asked of the cache before a person says so.
class CachePage final : public Page
{
    Q_OBJECT

public:
    CachePage(models::ConnectionController *connection, models::CacheController *cache, models::CachePlace *place,
        models::Settings *settings, QWidget *parent = nullptr);

    static Face ownFace(); ///< known before there is one
    /// Whether a table of the connection has a cache.
    static bool isFor(const models::ConnectionController &connection);
    void activate() override;
    void refresh() override;
    void refreshByItself() override { } ///< each look counts as use of the entries

private:
    QWidget *buildPlace();
    void wire();
    void takeTargets();
    void takeTarget();
    void compare();
    void showKey();
    void sync();
    void syncEmpty();

    models::ConnectionController *m_connection;
    models::CacheController *m_cache;
    models::CachePlace *m_place;
    TargetChooser *m_target;
    QLineEdit *m_address;
    QLineEdit *m_password;
    QCheckBox *m_keep;
    QPushButton *m_compare;
    BusyBar *m_busy;
    NoticeBar *m_notice;
    QLabel *m_summary;
    ContentStack *m_stack;
    QTableView *m_table;
    QLabel *m_facts;
    QString m_addressOf; ///< the connection whose address is shown
};

} // namespace idemdesk::ui
